import { expect, test } from 'vitest'
import { zoneOf } from '#server/zone-of.ts'

test.each([
  [{ phone: '+358 40 1234567' }, 'Europe/Helsinki', 'phone', 'Finland'],
  [{ phone: '+49 30 901820 ext. 5', country: 'Finland' }, 'Europe/Berlin', 'phone', 'Germany'],
  [{ phone: '+1 212 555 0142' }, 'US/Eastern', 'phone', 'area code 212'],
  [{ phone: '+1 (206) 555-0142' }, 'US/Pacific', 'phone', 'area code 206'],
  [{ phone: '(604) 555-0199', country: 'Canada' }, 'Canada/Pacific', 'phone', 'area code 604'],
  [{ phone: '+1 876 555 1234' }, 'America/Jamaica', 'phone', 'Jamaica'],
  [{ phone: '12', country: 'Deutschland' }, 'Europe/Berlin', 'country', 'Germany'],
  [{ country: 'DK' }, 'Europe/Copenhagen', 'country', 'Denmark'],
  [{ country: 'U.K.' }, 'Europe/London', 'country', 'United Kingdom'],
  [{ country: 'spain' }, 'Europe/Madrid', 'country', 'Spain'],
  [{ phone: '+1 208 555 0142', country: 'Ireland' }, 'Europe/Dublin', 'country', 'Ireland'],
])('%j is in %s', (known, zone, from, place) => {
  expect(zoneOf(known)).toEqual({ zone, from, place })
})

test.each([
  [{}],
  [{ country: 'USA' }],
  [{ country: 'Australia' }],
  [{ country: 'Atlantis' }],
  [{ phone: '(212) 555-0142' }],
  [{ phone: '+1 208 555 0142' }],
  [{ phone: '+1 800 555 0142' }],
  [{ phone: 'call me' }],
])('%j leaves the time zone open', (known) => {
  expect(zoneOf(known)).toBeUndefined()
})

test('each area code has one time zone, which exists', () => {
  for (const area of [
    '212',
    '312',
    '303',
    '602',
    '415',
    '907',
    '808',
    '902',
    '709',
    '416',
    '204',
    '306',
    '403',
  ])
    expect(
      () => new Intl.DateTimeFormat('en', { timeZone: zoneOf({ phone: `+1 ${area} 555 0142` })!.zone }),
    ).not.toThrow()
})
