import { MantineProvider } from '@mantine/core'
import { fireEvent, render } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addPopovers } from '#web/dom.testing.tsx'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'

beforeAll(addPopovers)
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function openMenu(names: readonly string[]) {
  const chosen: string[] = []
  render(
    <MantineProvider>
      <Menu id="people" opened onClose={() => {}} label="Assignee">
        {names.map((name) => (
          <MenuItem key={name} onClick={() => chosen.push(name)}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </MantineProvider>,
  )
  const type = (text: string) => {
    for (const key of text) {
      fireEvent.keyDown(document.activeElement!, { key })
      vi.advanceTimersByTime(100)
    }
    return document.activeElement!.textContent
  }
  return { type, chosen }
}

const people = [
  'Me',
  'Unassigned',
  'Ingrid Moe',
  'Paula Ito',
  'Priya Iyer',
  'Tess Ray',
  'Tom Baker',
  'Örjan Ek',
]

test('letters typed in quick succession are the beginning of one name', () => {
  const { type } = openMenu(people)
  expect(type('Priya')).toBe('Priya Iyer')
  vi.advanceTimersByTime(1000)
  expect(type('tom')).toBe('Tom Baker')
  vi.advanceTimersByTime(1000)
  expect(type('orj')).toBe('Örjan Ek')
})

test('a name is found by the beginning of any of its words, but first by its own beginning', () => {
  const { type } = openMenu(people)
  expect(type('bak')).toBe('Tom Baker')
  vi.advanceTimersByTime(1000)
  expect(type('i')).toBe('Ingrid Moe')
  vi.advanceTimersByTime(1000)
  expect(type('it')).toBe('Paula Ito')
})

test('after a pause, a letter begins a new name', () => {
  const { type } = openMenu(people)
  expect(type('t')).toBe('Tess Ray')
  vi.advanceTimersByTime(1000)
  expect(type('m')).toBe('Me')
})

test('an arrow key, Home, or End ends the name that is being typed', () => {
  const { type } = openMenu(people)
  expect(type('to')).toBe('Tom Baker')
  for (const key of ['ArrowDown', 'Home', 'End']) {
    fireEvent.keyDown(document.activeElement!, { key })
    expect(type('p')).toBe('Paula Ito')
    type('r')
  }
})

test('the same letter again goes through the names that begin with it', () => {
  const { type } = openMenu(people)
  expect([type('p'), type('p'), type('p')]).toEqual(['Paula Ito', 'Priya Iyer', 'Paula Ito'])
})

test('letters that no name has leave the focus where it is', () => {
  const { type } = openMenu(people)
  expect(type('tomx')).toBe('Tom Baker')
  expect(type('m')).toBe('Tom Baker')
})

test('a space belongs to a name that is being typed', () => {
  const { type } = openMenu(['Tom Adler', 'Tom Baker'])
  expect(type('tom b')).toBe('Tom Baker')
  const space = () => fireEvent.keyDown(document.activeElement!, { key: ' ' })
  // The browser chooses the item then.
  expect(space()).toBe(true)
})
