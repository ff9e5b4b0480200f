import { act, render } from '@testing-library/react'
import { createPortal } from 'react-dom'
import { expect, test, vi } from 'vitest'
import { useFocusBack } from '#web/parts/useFocusBack.ts'

function Dialog() {
  useFocusBack()
  return createPortal(<button>Close</button>, document.body)
}

const Page = ({ isOpen }: { isOpen: boolean }) => (
  <>
    <input aria-label="Phone" />
    {isOpen && <Dialog />}
  </>
)

test('the focus is back as soon as a dialog is gone, before the next frame', async () => {
  const frame = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0)
  const { getByLabelText, getByText, rerender } = render(<Page isOpen={false} />)
  const field = getByLabelText('Phone')
  field.focus()
  rerender(<Page isOpen />)
  getByText('Close').focus()
  await act(async () => rerender(<Page isOpen={false} />))
  expect(document.activeElement).toBe(field)
  frame.mockRestore()
})
