import { expect, test } from 'vitest'
import { addMonths } from '#shared/dates.ts'
import { dateOrder, parseDay as parse, parseMoment as parseTime } from '#web/dates/parse.ts'

// A Wednesday.
const today = '2026-11-18'
const parseDay = (text: string, day: string) => parse(text, day, 'day')
const parseMoment = (text: string, day: string) => parseTime(text, day, 'day')
const days = (...texts: string[]) => texts.map((text) => parseDay(text, today))

test('a full date can be typed in every usual form', () => {
  for (const text of [
    '2026-12-03',
    '2026/12/3',
    '3.12.2026',
    '03/12/2026',
    '3-12-26',
    '3. 12. 2026',
    '3 Dec 2026',
    '3 december 2026',
    '3dec 2026',
    '3-Dec-2026',
    'Dec 3, 2026',
    'December 3rd 2026',
    'Thu, 3 Dec 2026',
  ])
    expect([text, parseDay(text, today)]).toEqual([text, '2026-12-03'])
})

test('the day comes first, unless only the other order is a date', () => {
  expect(days('3/4/2026', '11/18/2026', '18/11/2026', '13/13/2026')).toEqual([
    '2026-04-03',
    '2026-11-18',
    '2026-11-18',
    undefined,
  ])
})

test('in a language that writes the month first, so does the field, except with dots', () => {
  expect([dateOrder('en-US'), dateOrder('en-GB'), dateOrder('de'), dateOrder('ja')]).toEqual([
    'month',
    'day',
    'day',
    'month',
  ])
  const typed = (text: string) => parse(text, today, 'month')
  expect(['12/3', '12/13', '3/4/2026', '18/11/2026', '3-4-26'].map(typed)).toEqual([
    '2026-12-03',
    '2026-12-13',
    '2026-03-04',
    '2026-11-18',
    '2026-03-04',
  ])
  expect(['3.4.2026', '31.12.', '2026-12-03', '3 Dec'].map(typed)).toEqual([
    '2026-04-03',
    '2026-12-31',
    '2026-12-03',
    '2026-12-03',
  ])
  expect(parseTime('12/3 2pm', today, 'month')).toBe('2026-12-03T14:00')
})

test('a date without a year is the one nearest to today', () => {
  expect(days('18 Nov', '1 Sept', '3 Jan', '3.1.', '29 Feb')).toEqual([
    '2026-11-18',
    '2026-09-01',
    '2027-01-03',
    '2027-01-03',
    undefined,
  ])
  expect(parseDay('20 Dec', '2026-01-05')).toBe('2025-12-20')
})

test('days can be named from today', () => {
  expect(days('today', 'Tomorrow', 'yesterday', 'mon', 'Wednesday', '+3d', '+3', '-1w', '+1m')).toEqual([
    '2026-11-18',
    '2026-11-19',
    '2026-11-17',
    '2026-11-23',
    '2026-11-25',
    '2026-11-21',
    '2026-11-21',
    '2026-11-11',
    '2026-12-18',
  ])
  expect(days('in 2 weeks', 'in a month', '3 days ago', 'in 1 year')).toEqual([
    '2026-12-02',
    '2026-12-18',
    '2026-11-15',
    '2027-11-18',
  ])
})

test('a text that is not a date names no day', () => {
  expect(days('', 'soon', '18', '30 Feb 2026', '2026-13-01', '1 Nox', '18.11.1726', 'mo').join('')).toBe('')
})

test('a month later is in the month after, also where that is shorter', () => {
  expect([addMonths('2026-01-31', 1), addMonths('2026-01-15', -1), addMonths('2026-03-31', -13)]).toEqual([
    '2026-02-28',
    '2025-12-15',
    '2025-02-28',
  ])
})

test('a time is typed after its date', () => {
  const moments = (...texts: string[]) => texts.map((text) => parseMoment(text, today))
  expect(
    moments(
      '2027-03-14T02:30',
      '14 Mar 2027, 02:30',
      '14.3.2027 2:30',
      'tomorrow 14:30',
      'mon at 9:00',
      '+1d 2pm',
    ),
  ).toEqual([
    '2027-03-14T02:30',
    '2027-03-14T02:30',
    '2027-03-14T02:30',
    '2026-11-19T14:30',
    '2026-11-23T09:00',
    '2026-11-19T14:00',
  ])
  expect(moments('tomorrow', '14:30', 'tomorrow 24:30', 'tomorrow 13pm', '18.11.2026').join('')).toBe('')
})
