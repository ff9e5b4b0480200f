import { expect, test } from 'vitest'
import {
  instantAt,
  instantsOf,
  instantsShowing,
  isZone,
  timeWithZone,
  wallTime,
  zoneText,
} from '#shared/zones.ts'

test.each([
  ['US/Eastern', true],
  ['America/New_York', true],
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  ['', false],
  ['Mars/Olympus', false],
  ['+05:00', false],
  ['US/Eastern; drop table leads', false],
  ['../etc/passwd', false],
])('%s is a time zone: %s', (name, is) => {
  expect(isZone(name)).toBe(is)
})

// In 2026, clocks in the United States go forward on March 8 and back on November 1; in Europe, on March 29
// and October 25.
test.each([
  [
    '2026-03-08T06:59:00Z',
    'US/Eastern',
    { day: '2026-03-08', time: '01:59', offset: '-05:00', abbreviation: 'EST' },
  ],
  [
    '2026-03-08T07:00:00Z',
    'US/Eastern',
    { day: '2026-03-08', time: '03:00', offset: '-04:00', abbreviation: 'EDT' },
  ],
  [
    '2026-11-01T05:30:00Z',
    'US/Eastern',
    { day: '2026-11-01', time: '01:30', offset: '-04:00', abbreviation: 'EDT' },
  ],
  [
    '2026-11-01T06:30:00Z',
    'US/Eastern',
    { day: '2026-11-01', time: '01:30', offset: '-05:00', abbreviation: 'EST' },
  ],
  [
    '2026-03-29T00:30:00Z',
    'Europe/Berlin',
    { day: '2026-03-29', time: '01:30', offset: '+01:00', abbreviation: 'UTC+1' },
  ],
  [
    '2026-01-01T00:00:00Z',
    'US/Eastern',
    { day: '2025-12-31', time: '19:00', offset: '-05:00', abbreviation: 'EST' },
  ],
  [
    '2026-01-01T00:00:00Z',
    'Asia/Kathmandu',
    { day: '2026-01-01', time: '05:45', offset: '+05:45', abbreviation: 'UTC+5:45' },
  ],
  [
    '2026-01-01T00:00:30.500Z',
    'UTC',
    { day: '2026-01-01', time: '00:00', offset: '+00:00', abbreviation: 'UTC' },
  ],
])('%s in %s is %j', (instant, zone, shown) => {
  expect(wallTime(instant, zone)).toEqual(shown)
})

test.each([
  ['2026-03-07', '10:00', 'US/Eastern', '2026-03-07T15:00:00.000Z'],
  ['2026-03-08', '10:00', 'US/Eastern', '2026-03-08T14:00:00.000Z'],
  // This time is skipped, so 2:30 becomes 3:30.
  ['2026-03-08', '02:30', 'US/Eastern', '2026-03-08T07:30:00.000Z'],
  // This time occurs twice; the first one is returned.
  ['2026-11-01', '01:30', 'US/Eastern', '2026-11-01T05:30:00.000Z'],
  ['2026-11-01', '02:30', 'US/Eastern', '2026-11-01T07:30:00.000Z'],
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-07-01', '09:15', 'UTC', '2026-07-01T09:15:00.000Z'],
])('%s %s in %s is %s', (day, time, zone, instant) => {
  expect(instantAt(day, time, zone)).toBe(instant)
})

test.each([
  ['2026-03-06', '15:00', 'US/Eastern', ['2026-03-06T20:00:00.000Z']],
  ['2026-03-08', '02:30', 'US/Eastern', []],
  ['2026-03-29', '02:00', 'Europe/Berlin', []],
  ['2026-03-29', '03:00', 'Europe/Berlin', ['2026-03-29T01:00:00.000Z']],
  ['2026-10-25', '02:30', 'Europe/Berlin', ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']],
  ['2026-11-01', '01:59', 'US/Eastern', ['2026-11-01T05:59:00.000Z', '2026-11-01T06:59:00.000Z']],
  ['2026-04-05', '01:45', 'Australia/Lord_Howe', ['2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z']],
])('%s %s is shown in %s at %j', (day, time, zone, instants) => {
  expect(instantsShowing(day, time, zone)).toEqual(instants)
})

test('a day with a clock change has 23 or 25 hours', () => {
  const hours = (day: string) => {
    const { from, until } = instantsOf(day, day, 'US/Eastern')
    return (Date.parse(until) - Date.parse(from)) / 3_600_000
  }
  expect([hours('2026-03-07'), hours('2026-03-08'), hours('2026-11-01'), hours('2026-11-02')]).toEqual([
    24, 23, 25, 24,
  ])
})

test('an instant converted to local time and back is the same around every clock change, except for the hour that occurs twice', () => {
  for (const [zone, twice] of [
    ['US/Eastern', 2],
    ['Europe/Berlin', 2],
    ['Australia/Lord_Howe', 1],
    ['Asia/Kolkata', 0],
  ] as const) {
    let doubled = 0
    for (const [from, until] of [
      ['2026-03-07', '2026-04-06'],
      ['2026-10-24', '2026-11-02'],
    ] as const)
      for (let at = Date.parse(`${from}T00:00:00Z`); at < Date.parse(`${until}T00:00:00Z`); at += 1_800_000) {
        const { day, time } = wallTime(new Date(at), zone)
        if (Date.parse(instantAt(day, time, zone)) !== at) doubled += 1
      }
    expect([zone, doubled]).toEqual([zone, twice])
  }
})

test.each([
  ['US/Eastern', 'US/Eastern, EST'],
  ['Europe/Berlin', 'Europe/Berlin, UTC+1'],
  ['UTC', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['EST', 'EST'],
])('%s is named as %s, once if its abbreviation is the same', (zone, text) => {
  const wall = wallTime('2026-11-26T23:00:00Z', zone)
  expect(zoneText(zone, wall)).toBe(text)
  expect(timeWithZone(wall, zone)).toBe(`${wall.time} (${text})`)
})
