import { cleanup, configure, getConfig } from '@testing-library/react'
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

letHtmlBeCleaned()

// The first use of a lazily loaded part compiles it. The page is printed only with the error that a test shows, not with
// each attempt before it: that was a tenth of the time of all page tests.
const { getElementError } = getConfig()
configure({
  asyncUtilTimeout: 30_000,
  getElementError: (message, container) =>
    isWaiting() ? new Error(message ?? '') : getElementError(message, container),
})

/** Reports whether a query is an attempt of `findBy` or `waitFor`. */
const isWaiting = (): boolean => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true

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

/**
 * Adds what DOMPurify needs: it reads the names of nodes by the getter of their common prototype, which returns an empty
 * text here, and iterates while it removes nodes. Without this, it unwraps the first element of a text and leaves the
 * rest as it is, so that a text which is cleaned twice loses its first paragraph.
 */
function letHtmlBeCleaned(): void {
  const names: Record<number, string> = {
    [Node.TEXT_NODE]: '#text',
    [Node.COMMENT_NODE]: '#comment',
    [Node.DOCUMENT_NODE]: '#document',
    [Node.DOCUMENT_FRAGMENT_NODE]: '#document-fragment',
  }
  Object.defineProperty(Node.prototype, 'nodeName', {
    configurable: true,
    get(this: Node) {
      return this instanceof Element ? this.tagName : (names[this.nodeType] ?? '')
    },
  })
  document.createNodeIterator = (root: Node, shown = NodeFilter.SHOW_ALL) => {
    const seen: Node[] = []
    const nextNode = (): Node | null => {
      // After a node was removed, continue behind the one before it.
      while (seen.length > 0 && !isWithin(seen.at(-1)!, root)) seen.pop()
      const last = seen.at(-1)
      const next = last ? following(last, root) : root
      if (!next) return null
      seen.push(next)
      return shown & (1 << (next.nodeType - 1)) ? next : nextNode()
    }
    return { nextNode } as NodeIterator
  }
}

const isWithin = (node: Node | null, root: Node): boolean =>
  node !== null && (node === root || isWithin(node.parentNode, root))

/** Returns the node after another one in the order of the document. */
function following(node: Node, root: Node): Node | null {
  if (node.firstChild) return node.firstChild
  for (let at: Node | null = node; at && at !== root; at = at.parentNode)
    if (at.nextSibling) return at.nextSibling
  return null
}
