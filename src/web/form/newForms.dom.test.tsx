import { act, cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openNewForm, useNewForm } from '#web/form/newForms.ts'

function Page() {
  const [isOpen, setOpen] = useNewForm('/things')
  return <button onClick={() => setOpen(true)}>{isOpen ? 'open' : 'closed'}</button>
}
const shown = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
const twoButtons = (
  <>
    <Page />
    <Page />
  </>
)

test('of two buttons for new records, only one opens its form, by a click or from elsewhere', () => {
  render(twoButtons)
  act(() => screen.getAllByRole('button')[1]!.click())
  expect(shown()).toEqual(['closed', 'open'])
  cleanup()
  render(twoButtons)
  act(() => openNewForm('/things'))
  expect(shown()).toEqual(['open', 'closed'])
})

test('a form that is asked for opens when its page appears, and not again when the user returns', () => {
  openNewForm('/things')
  render(<Page />)
  expect(shown()).toEqual(['open'])
  cleanup()
  render(<Page />)
  expect(shown()).toEqual(['closed'])
})
