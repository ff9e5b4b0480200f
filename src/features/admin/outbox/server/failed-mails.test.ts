import { expect, test, vi } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'

const eventually = (fact: () => Promise<void> | void) => vi.waitFor(fact, { timeout: 30_000, interval: 100 })
const gone = 'gone@hotel.example'

async function withGone() {
  const server = await startMailServer()
  server.refused.add(gone)
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const { as } = started
  const noticesOf = async (who: string) => (await as(who).get('/admin/notices'))['data'] as object[]
  /** Sends an email about a record without waiting until it can no longer be undone; returns its ID. */
  const send = async (who: string, path: string) => {
    const email = { to: [gone], subject: 'Your offer', content: '<p>Here it is.</p>' }
    const reply = await as(who).post(path, email)
    expect(reply).toMatchObject({ status: 200 })
    const id = reply['data'].id as number
    expect(await as(who).post(`/admin/mail/${id}/retry`)).toMatchObject({ status: 200 })
    return id
  }
  return { ...started, noticesOf, send }
}

test('the author of an email that was not delivered gets a notice that leads to it', async () => {
  const { as, live, noticesOf, send } = await withGone()
  const lead = await as('crm').post('/admin/users/save-demo-requests', {
    lead_for: 1,
    companyName: 'Aalto Linen',
    email: gone,
  })
  const { lead_id } = lead['data']
  const mail_id = await send('crm', `/admin/mails/lead/${lead_id}`)
  await eventually(async () =>
    expect(await noticesOf('crm')).toMatchObject([
      {
        kind: 'email_failed',
        record_type: 'lead',
        record_id: lead_id,
        anchor: `mail-${mail_id}`,
        title: 'Aalto Linen',
        words: expect.stringMatching(
          /^Your email to gone@hotel\.example wasn’t delivered\. The address doesn’t exist/,
        ),
        read_at: null,
      },
    ]),
  )
  expect(live).toContainEqual({ channel: `private-staff.${as('crm').id}`, event: 'notices', payload: {} })
  expect(await noticesOf('admin')).toEqual([])

  // A second failure of the same email is one unread notice.
  await as('crm').post('/admin/notices/read-all', { id: 1_000_000 })
  await as('crm').post(`/admin/mail/${mail_id}/retry`)
  await eventually(async () => expect(await noticesOf('crm')).toMatchObject([{ read_at: null }]))
})

test('the record of the notice is the one that the email is about', async () => {
  const { db, noticesOf, send } = await withGone()
  const organization_id = await enterOrganization(db, { name: 'Elm Resort' })
  await send('csm', `/admin/mails/organization/${organization_id}`)
  await eventually(async () =>
    expect(await noticesOf('csm')).toMatchObject([
      { record_type: 'organization', record_id: organization_id, title: 'Elm Resort' },
    ]),
  )
})
