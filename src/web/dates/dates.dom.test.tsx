import { useState } from 'react'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { beforeEach, expect, test, vi } from 'vitest'
import { DateField } from '#web/dates/DateField.tsx'
import { DateRangeField } from '#web/dates/DateRangeField.tsx'
import type { DateInputOptions } from '#web/dates/useDateInput.tsx'

const today = '2026-11-18'
beforeEach(() => {
  vi.useFakeTimers({ now: new Date(`${today}T12:00:00`), toFake: ['Date'] })
  return () => vi.useRealTimers()
})

type Options = Partial<DateInputOptions> & { description?: string }

/** Renders a date field that keeps its value, and returns the field and its changes. */
function open(options: Options = {}) {
  const onChange = vi.fn<(value: string) => void>()
  const onLeave = vi.fn<() => void>()
  function Field() {
    const [value, setValue] = useState(options.value ?? '')
    return (
      <DateField
        label="Due date"
        {...options}
        value={value}
        onChange={(next) => {
          onChange(next)
          setValue(next)
        }}
        onLeave={onLeave}
      />
    )
  }
  render(
    <MantineProvider env="test">
      <Field />
      <button type="button">Elsewhere</button>
    </MantineProvider>,
  )
  const field = screen.getByLabelText<HTMLInputElement>('Due date')
  return { field, onChange, onLeave, value: () => onChange.mock.lastCall?.[0] }
}

const type = (field: HTMLInputElement, text: string) => {
  act(() => field.focus())
  fireEvent.change(field, { target: { value: text } })
}
const leave = () => act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus())
const dayButton = (name: string) => screen.findByRole('button', { name })
const isOpen = () => screen.queryByRole('dialog') !== null

test('a typed date is the value immediately, and the text becomes that date when the user leaves the field', () => {
  const { field, value, onLeave } = open()
  type(field, 'tomorrow')
  expect([value(), field.value]).toEqual(['2026-11-19', 'tomorrow'])
  leave()
  expect(field.value).toBe('19 Nov 2026')
  expect(onLeave).toHaveBeenCalledTimes(1)
})

test('while a date is typed, the field shows the day with its weekday, beside its description', () => {
  const { field } = open({ description: 'In your time zone: 3 Dec 2026, 21:00' })
  const shown = () => field.closest('div[class*="root"]')!.textContent
  expect(shown()).toBe('Due dateIn your time zone: 3 Dec 2026, 21:00')
  type(field, '3.12.')
  expect(screen.getByRole('status').textContent).toBe('Thursday, 3 Dec 2026')
  expect(shown()).toBe('Due dateThursday, 3 Dec 2026 · In your time zone: 3 Dec 2026, 21:00')
  leave()
  expect(shown()).toBe('Due dateIn your time zone: 3 Dec 2026, 21:00')
})

test('Enter shows the typed date and leaves the submit to the form', () => {
  const { field } = open()
  type(field, '3.12.')
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(true)
  expect(field.value).toBe('3 Dec 2026')
})

test('a text that is not a date stays, with an error after the user leaves the field', () => {
  const { field, value } = open({ value: today })
  type(field, 'soon')
  expect(screen.queryByText(/^Enter a date/)).toBeNull()
  leave()
  expect([value(), field.value]).toEqual(['soon', 'soon'])
  expect(screen.getByText('Enter a date, such as 18 Nov 2026.')).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  type(field, '')
  leave()
  expect([value(), field.getAttribute('aria-invalid')]).toEqual(['', null])
})

test('a date outside the limits is an error that names the limit', () => {
  const { field } = open({ min: today, max: '2026-12-31' })
  type(field, 'yesterday')
  leave()
  expect(screen.getByText('Enter 18 Nov 2026 or a later date.')).toBeTruthy()
  type(field, '1 Jan 2027')
  leave()
  expect(screen.getByText('Enter 31 Dec 2026 or an earlier date.')).toBeTruthy()
})

test('the arrow key opens the calendar on the date; arrows and Page Down move, and a day is chosen', async () => {
  const { field, value, onLeave } = open({ value: '2026-11-30' })
  act(() => field.focus())
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  const day = await dayButton('30 Nov 2026')
  await waitFor(() => expect(document.activeElement).toBe(day))
  const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key })
  press('ArrowRight')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('1 Dec 2026')
  press('PageDown')
  press('ArrowUp')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('25 Dec 2026')
  fireEvent.click(document.activeElement!)
  expect([value(), field.value, isOpen()]).toEqual(['2026-12-25', '25 Dec 2026', false])
  expect(document.activeElement).toBe(field)
  expect(onLeave).not.toHaveBeenCalled()
})

test('Escape closes only the calendar and returns to the field', async () => {
  const { field, onChange } = open({ value: today })
  act(() => field.focus())
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  fireEvent.keyDown(await dayButton('18 Nov 2026'), { key: 'Escape' })
  expect(isOpen()).toBe(false)
  expect(document.activeElement).toBe(field)
  expect(onChange).not.toHaveBeenCalled()
})

test('the calendar offers presets within the limits, and no date', async () => {
  const { field, value } = open({ value: '2026-11-20', min: '2026-11-19', ahead: true })
  const openCalendar = () => fireEvent.click(screen.getByRole('button', { name: 'Open calendar' }))
  openCalendar()
  fireEvent.click(await dayButton('In a week'))
  expect(value()).toBe('2026-11-25')
  openCalendar()
  await dayButton('Tomorrow')
  expect(screen.queryByRole('button', { name: 'Today' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Clear date' }))
  expect([value(), field.value]).toEqual(['', ''])
})

test('a date with a time keeps its time when another day is chosen', async () => {
  const { field, value } = open({ value: '2026-11-20T14:30', time: true })
  expect(field.value).toBe('20 Nov 2026, 14:30')
  type(field, 'tomorrow 9:15')
  expect(value()).toBe('2026-11-19T09:15')
  fireEvent.click(screen.getByRole('button', { name: 'Open calendar' }))
  fireEvent.click(await dayButton('24 Nov 2026'))
  expect([value(), field.value]).toEqual(['2026-11-24T09:15', '24 Nov 2026, 09:15'])
})

test('a range is a preset, two days of the calendar, or two typed dates in any order', async () => {
  const onChange = vi.fn<(from?: string, to?: string) => void>()
  function Field() {
    const [range, setRange] = useState<[from?: string, to?: string]>([])
    return (
      <DateRangeField
        label="Request date"
        from={range[0]}
        to={range[1]}
        onChange={(from, to) => {
          onChange(from, to)
          setRange([from, to])
        }}
      />
    )
  }
  render(
    <MantineProvider env="test">
      <Field />
    </MantineProvider>,
  )
  const openPopup = () => fireEvent.click(screen.getByRole('button', { name: /^Request date:/ }))
  openPopup()
  fireEvent.click(await screen.findByRole('button', { name: 'Last month' }))
  expect(onChange).toHaveBeenLastCalledWith('2026-10-01', '2026-10-31')
  expect(screen.getByRole('button', { name: 'Request date: 1 Oct 2026 – 31 Oct 2026' })).toBeTruthy()

  openPopup()
  fireEvent.click(await dayButton('5 Oct 2026'))
  fireEvent.click(await dayButton('2 Nov 2026'))
  expect(onChange).toHaveBeenLastCalledWith('2026-10-05', '2026-11-02')

  openPopup()
  type(await screen.findByLabelText<HTMLInputElement>('From'), '20 Nov')
  fireEvent.keyDown(screen.getByLabelText('From'), { key: 'Enter' })
  expect(onChange).toHaveBeenLastCalledWith('2026-11-02', '2026-11-20')
  fireEvent.click(screen.getByRole('button', { name: 'All' }))
  expect(onChange).toHaveBeenLastCalledWith(undefined, undefined)
})
