import { expect, type Page } from '@playwright/test'
import {
  api,
  asUser,
  enterLeads,
  expectAccessible,
  expectQuietConsole,
  leadCell,
  watchJoins,
} from './helpers.ts'
import { test } from './panel.ts'

/*
 * Demos around the days on which clocks change: in the United States on March 8 and November 1, 2026, in
 * Europe on March 29 and October 25.
 */

test.use({ timezoneId: 'Europe/Berlin' })

const schedule = '/demo-leads/demo-leads-schedule'

/** Opens a page at a fixed time and shows a lead created with the given company and time zone. */
async function atLead(page: Page, now: string, company: string, timezone: string): Promise<void> {
  await page.clock.setFixedTime(now)
  await asUser(page, 'crm')
  await enterLeads(page, { companyName: company, timezone })
  await page.goto(`/demo-leads?fromDate=all&toDate=all&search=${encodeURIComponent(company)}`)
  await leadCell(page, company).click()
}

const sessions = (page: Page) => page.getByRole('region', { name: 'Sessions' })
const newSession = (page: Page) => page.getByRole('dialog', { name: 'New session' })

async function openSession(page: Page, finalDate: string, zone?: string): Promise<void> {
  await sessions(page).getByRole('button', { name: 'New session' }).click()
  if (zone) await newSession(page).getByLabel('Time zone').selectOption(zone)
  await newSession(page).getByLabel('Scheduled time').fill(finalDate)
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

const shift = [
  // Only the United States has changed its clocks.
  {
    change: 'of the United States',
    friday: '2026-03-06',
    monday: '2026-03-09',
    before: ['21:00', '15:00 EST'],
    after: ['20:00', '15:00 EDT'],
  },
  {
    change: 'of Europe',
    friday: '2026-03-27',
    monday: '2026-03-30',
    before: ['20:00', '15:00 EDT'],
    after: ['21:00', '15:00 EDT'],
  },
] as const

for (const { change, friday, monday, before, after } of shift) {
  test(`a demo at 15:00 US/Eastern keeps its local time over the change ${change}, and is shown in Berlin time as well`, async ({
    page,
  }) => {
    const quiet = expectQuietConsole(page)
    const company = `Clock ${friday}`
    await atLead(page, `${friday}T08:00:00Z`, company, 'US/Eastern')
    for (const [day, [here, there]] of [
      [friday, before],
      [monday, after],
    ] as const) {
      await openSession(page, `${day}T15:00`)
      await expect(newSession(page)).toContainText(`, ${here} ${there}`)
      await save(page)
    }
    await expect(sessions(page).getByRole('listitem')).toHaveCount(2)

    await page.goto(schedule)
    const ofDay = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    const long = (day: string) =>
      new Date(day).toLocaleDateString('en-GB', {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      })
    const short = (day: string) =>
      new Date(day).toLocaleDateString('en-GB', {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        timeZone: 'UTC',
      })
    for (const [day, [here, there]] of [
      [friday, before],
      [monday, after],
    ] as const) {
      const entry = ofDay(long(day)).getByRole('listitem').filter({ hasText: company })
      await expect(entry.getByRole('time')).toHaveText(`${here} ${there}`)
      await expect(entry.getByTitle('US/Eastern')).toHaveText(there)
    }
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Week' }).click()
    const inWeek = (day: string) =>
      page.getByRole('region', { name: short(day), exact: true }).getByRole('link', { name: company })
    await expect(inWeek(friday).getByRole('time')).toHaveText(before.join(' '))
    await expect(inWeek(monday)).toHaveCount(0)
    await page.getByRole('button', { name: 'Later' }).click()
    await expect(inWeek(monday).getByRole('time')).toHaveText(after.join(' '))
    await page.getByRole('button', { name: 'Month' }).click()
    const onDay = (day: string) =>
      page.getByRole('listitem').filter({
        has: page.getByRole('heading', { name: new RegExp(`, ${Number(day.slice(8))} Mar 2026$`) }),
      })
    await expect(onDay(monday).getByRole('listitem').filter({ hasText: company })).toContainText(after[0])
    await expectAccessible(page)
    quiet()
  })
}

test('a skipped local time is refused at its field; for one that occurs twice, the form asks which one, and keeps the answer', async ({
  page,
}) => {
  await atLead(page, '2026-03-24T08:00:00Z', 'Clock forward', 'US/Eastern')
  await openSession(page, '2026-03-29T02:30', 'Europe/Berlin')
  await page.keyboard.press('Control+Enter')
  const form = newSession(page)
  await expect(
    form.getByText(
      '02:30 doesn’t exist on 29 Mar 2026 in Europe/Berlin because the clocks go forward. Choose another time.',
    ),
  ).toBeVisible()
  await expect(form.getByLabel('Scheduled time')).toBeFocused()
  await expectAccessible(page)
  // The same local time exists in the other time zone.
  await form.getByLabel('Time zone').selectOption('US/Eastern')
  await expect(form).toContainText('29 Mar 2026, 08:30 02:30 EDT')
  await expect(form.getByText('02:30 doesn’t exist')).toHaveCount(0)
  await save(page)
  await expect(sessions(page).getByRole('listitem')).toContainText('29 Mar 2026, 08:30 02:30 EDT')

  await atLead(page, '2026-10-20T08:00:00Z', 'Clock back', 'Europe/Berlin')
  await openSession(page, '2026-10-25T02:30')
  const which = (dialog: ReturnType<typeof newSession>) => dialog.getByLabel('Which 02:30 do you mean?')
  await expect(which(newSession(page))).toHaveValue('first')
  await expect(newSession(page)).toContainText('25 Oct 2026, 02:30 UTC+2')
  await which(newSession(page)).selectOption({ label: 'The second one (UTC+1)' })
  await expectAccessible(page)
  await save(page)
  const session = sessions(page).getByRole('listitem')
  await expect(session).toContainText('25 Oct 2026, 02:30 UTC+1')

  await session.getByRole('button', { name: 'More actions for Demo' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit Demo' })
  await expect(which(edited)).toHaveValue('second')
  await edited.getByLabel('Schedule comment').fill('After the party.')
  await save(page)
  await expect(session).toContainText('After the party.')
  await expect(session).toContainText('25 Oct 2026, 02:30 UTC+1')
  await expect(session.getByRole('time')).toHaveAttribute('datetime', '2026-10-25T01:30:00.000Z')
})

test('an open form shows that someone else booked its host, and a click takes a free time', async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'admin')
  const { data: staff } = await api(other, 'GET', '/admin/options/staff')
  const host = staff.find(({ name }: { name: string }) => name === 'Jonas Brandt') ?? staff[0]
  const joins = watchJoins(page)
  await asUser(page, 'crm')
  const [lead, booked] = await enterLeads(
    page,
    { companyName: 'Live Laundry', timezone: 'Europe/Berlin' },
    { companyName: 'Booked Laundry', timezone: 'Europe/Berlin' },
  )
  await page.goto(`/demo-leads/lead/${lead}`)
  await joins.connected
  await openSession(page, '2027-03-03T10:00')
  const form = newSession(page)
  await form.getByRole('combobox', { name: 'Led by' }).click()
  await page.getByRole('option', { name: host.name }).click()
  // Closes the list of hosts.
  await form.getByLabel('Place or link').focus()
  const free = form.getByRole('group', { name: 'Free times' })
  await expect(free.getByRole('button', { name: 'Wed 3 Mar, 10:30' })).toBeVisible()
  await expect(form.getByText(`${host.name} has`)).toHaveCount(0)
  await api(other, 'POST', '/admin/users/save-demo-session', {
    lead_id: booked,
    sessions: [{ type: 'Demo', final_date: '2027-03-03T09:30:00Z', host_ids: [host.id] }],
  })
  await expect(
    form.getByText(`${host.name} has “Demo” with Booked Laundry from 10:30 to 11:30.`),
  ).toBeVisible()
  await expect(free.getByRole('button', { name: 'Wed 3 Mar, 10:30' })).toHaveCount(0)
  await expectAccessible(page)
  await free.getByRole('button', { name: 'Wed 3 Mar, 11:30' }).click()
  await expect(form.getByLabel('Scheduled time')).toHaveValue(/11:30/)
  await expect(form.getByText(`${host.name} has`)).toHaveCount(0)
  await save(page)
  await other.context().close()
})
