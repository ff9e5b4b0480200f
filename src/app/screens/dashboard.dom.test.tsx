import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { expectNoneRefused, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

test.each(['crm', 'data_entry', 'editor', 'designer', 'qa'])(
  'the dashboard sends no request that is refused: %s',
  async (user) => {
    const { sent } = await openPanel(await startTestApp(), user, '/dashboard')
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
    await expectNoneRefused({ sent })
    expect(sent.length).toBeGreaterThan(0)
  },
)

test('a page that stays open refetches when the user returns to it on another day', async () => {
  const app = await startTestApp({ now: '2026-11-20T12:00:00.000Z' })
  const { sent } = await openPanel(app, 'crm', '/dashboard')
  const days = () =>
    sent.flatMap(({ path }) => /^\/admin\/users\/lead-numbers\?.*today=([\d-]+)/.exec(path)?.[1] ?? [])
  await waitFor(() => expect(days().at(-1)).toBe('2026-11-20'))
  vi.setSystemTime('2026-11-24T09:00:00.000Z')
  act(() => void dispatchEvent(new Event('focus')))
  await waitFor(() => expect(days().at(-1)).toBe('2026-11-24'))
})
