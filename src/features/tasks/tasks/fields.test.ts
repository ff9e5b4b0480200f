import { expect, test } from 'vitest'
import { taskFields } from '#features/tasks/tasks/fields.ts'

const { estimate_hours, ticket_id } = taskFields

test('hours are accepted as people write them, and refused with the reason', () => {
  const parsed = ['7', '2.5', '.5', '5.', ' 8 ', ''].map((typed) => estimate_hours.input.parse(typed))
  expect(parsed).toEqual([7, 2.5, 0.5, 5, 8, null])
  const errors = ['1h', '0', '-1', '10001', 'x'].map(
    (typed) => estimate_hours.input.safeParse(typed).error?.issues[0]?.message,
  )
  expect(errors).toEqual([
    'Enter a number.',
    'Enter a number greater than 0.',
    'Enter a number greater than 0.',
    'Enter 10,000 or less.',
    'Enter a number.',
  ])
})

test('the number of a ticket is accepted with its sign, and empty means none', () => {
  const parsed = ['151', '#151', ' #151 ', '', '#', null].map((typed) => ticket_id.input.parse(typed))
  expect(parsed).toEqual([151, 151, 151, null, null, null])
  expect(ticket_id.input.safeParse('laundry').error?.issues[0]?.message).toBe('Enter a whole number.')
})
