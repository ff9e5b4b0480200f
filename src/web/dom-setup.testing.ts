import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { queries } from '#web/api/queries.ts'
import { holdRequests } from '#web/dom.testing.tsx'

/* Runs before every file of hook tests, because these share their modules. */

// React checks act() only if it knows that this is a test.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

// The simulated browser has no fonts, for which a text area that grows waits.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })

// Nor can it write what was typed before a text was there.
Object.defineProperty(document, 'execCommand', { configurable: true, value: () => false })

// The first use of a lazily loaded part compiles it.
configure({ asyncUtilTimeout: 30_000 })

beforeEach(holdRequests)

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  queries.clear()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  // What still runs after a test must not reach the network.
  holdRequests()
})
