import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { startTestApp, type Reply } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds, type Permission } from '#shared/access.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { withoutStyles } from '#server/mail/mail.testing.ts'

const at = '/admin/users'
const link = 'https://meet.example/1'
type Won = Awaited<ReturnType<typeof winLead>>

const calls: [
  call: string,
  needs: Permission,
  method: string,
  path: (won: Won) => string,
  body?: (won: Won) => object,
][] = [
  ['get-demo-leads', 'onboarding_list', 'GET', () => `${at}/get-demo-leads?tab=in_progress`],
  ['onboarding', 'onboarding_list', 'GET', ({ id }) => `${at}/onboarding?id=${id}`],
  [
    'onboarding.post',
    'onboarding_list',
    'POST',
    () => `${at}/post-onboarding`,
    ({ id }) => ({ lead_onboaring_id: id, stage: 1 }),
  ],
  [
    'onboarding.addTrainingSession',
    'onboarding_list',
    'POST',
    () => `${at}/add-onboarding-training-session`,
    ({ id, org_id }) => ({ id, lead_onboaring_id: id, org_id, stage: 1 }),
  ],
  [
    'onboarding.updateStatus',
    'onboarding_on_hold',
    'POST',
    () => `${at}/update-onboaring-status`,
    ({ id }) => ({ id, status: 2, hold_reason: 'Holiday' }),
  ],
  [
    'onboarding.postSession',
    'onboarding_list',
    'POST',
    () => `${at}/post-session`,
    ({ id }) => ({ lead_onboaring_id: id, type: 'Demo' }),
  ],
  [
    'onboarding.sendMeetingLink',
    'onboarding_send_attachment_link',
    'POST',
    () => `${at}/send-meeting-link`,
    ({ id, lead_id }) => ({ lead_id, lead_onboarding_id: id, send_meeting_link: link }),
  ],
]

test.each(calls)(
  '%s needs %s, and roles 2 and 5 have it; the bare path answers too',
  async (_call, needs, method, path, body) => {
    const started = await startTestApp()
    for (const role of [...roleIds, undefined]) {
      const won = await winLead(started)
      const { status } = await started.as(role).send(method, path(won), body?.(won))
      expect([role, status]).toEqual([
        role,
        role === undefined ? 401 : defaultGrants[role].includes(needs) ? 200 : 403,
      ])
    }
    if (method === 'GET') return
    const won = await winLead(started)
    expect(
      (
        await started
          .as('data_entry')
          .send(method, path(won).replace('/admin/users/', '/admin/'), body?.(won))
      ).status,
    ).toBe(200)
  },
)

test('winning a lead previews the result, happens in one step, and one undo reverts all of it', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, {
    company_name: 'Tamsel Hotel',
    company_url: 'https://www.tamsel.example',
    contact_name: 'Ida Berg',
    email: 'ida@tamsel.example',
    status: 6,
  })
  const likely = await enterOrganization(db, { name: 'Tamsel', domain: 'tamsel.example' })
  expect(await as('crm').get(`${at}/lead-create-organization/preview?lead_id=${lead_id}`)).toMatchObject({
    data: {
      name: 'Tamsel Hotel',
      status: 2,
      trial_end_date: '2026-03-30',
      user: { first_name: 'Ida', last_name: 'Berg', email: 'ida@tamsel.example' },
      lead_status: 'Won',
      likely: [{ organization_id: likely }],
    },
  })
  const { data, operation } = await as('crm').post(`${at}/lead-create-organization`, { lead_id })
  expect(await as('crm').get(`${at}/onboarding?id=${data.onboarding_id}`)).toMatchObject({
    data: { stage_name: 'Kickoff', done: 0, stages: 5, status: 1, addresses: ['ida@tamsel.example'] },
  })
  expect(
    await db.selectFrom('customer_users').select(['organization_id', 'is_master', 'role_id']).execute(),
  ).toEqual([{ organization_id: data.organization_id, is_master: true, role_id: 1 }])
  expect(await as('crm').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    status: 200,
    undone: 1,
    skipped: [],
  })
  expect(await as('crm').get(`${at}/getdemo?id=${lead_id}`)).toMatchObject({
    data: { status: 6, organization_id: null },
  })
  expect(await as('crm').get(`${at}/onboarding?id=${data.onboarding_id}`)).toMatchObject({ status: 404 })
  expect(
    await db.selectFrom('customer_users').select('id').where('deleted_at', 'is', null).execute(),
  ).toEqual([])
  await as('crm').post(`/admin/operations/${operation.id}/redo`)
  expect(await as('crm').get(`${at}/getdemo?id=${lead_id}`)).toMatchObject({
    data: { status: 7, organization_id: data.organization_id },
  })
})

test('a second lead joins the existing organization, with its product; nothing new is created', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { org_id } = await winLead(started)
  const lead_id = await enterLead(db, { lead_for: 3, contact_name: '' })
  const { data } = await as('crm').post(`${at}/lead-create-organization`, {
    lead_id,
    organization_id: org_id,
  })
  expect(data).toMatchObject({ organization_id: org_id, product_ids: [1, 3] })
  expect(await db.selectFrom('organizations').select('organization_id').execute()).toHaveLength(1)
  expect((await as('csm').get(`/admin/getOrgUser?org_id=${org_id}`))['data'].leads).toHaveLength(2)
})

test('a stage is scheduled and completed; the next one follows, and the last one completes the onboarding', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id, org_id } = await winLead(started)
  const post = (body: object) =>
    as('data_entry').post(`${at}/post-onboarding`, { lead_onboaring_id: id, org_id, ...body })
  const scheduled = await post({
    stage: 1,
    schedule_for: '2026-03-20T15:00:00-04:00',
    schedule_comment: 'By video',
    contact_emails: 'a@b.example, c@d.example',
  })
  expect(scheduled).toMatchObject({
    onboarding_status: 'in_progress',
    data: {
      schedule_for: '2026-03-20T19:00:00.000Z',
      steps: [{ stage: 1, completed_status: false, contact_emails: ['a@b.example', 'c@d.example'] }],
    },
  })
  expect(await post({ stage: 1, completed_status: '1', completed_comment: 'Done' })).toMatchObject({
    data: {
      stage: 2,
      done: 1,
      stage_since: '2026-03-16',
      next_expected_date: '2026-03-23',
      steps: [{ completed_status: true, completed_at: '2026-03-16T10:00:00.000Z' }],
    },
  })
  for (const stage of [2, 3, 4]) await post({ stage, completed_status: true })
  expect(await post({ stage: 5, completed_status: true })).toMatchObject({
    onboarding_status: 'completed',
    data: { status: 3, done: 5 },
  })
  expect(await as('data_entry').get(`${at}/get-demo-leads?tab=completed`)).toMatchObject({
    data: [{ id }],
    total: 1,
    tabs: { in_progress: 0, on_hold: 0, completed: 1 },
  })
  expect(await post({ stage: 5, completed_status: false })).toMatchObject({
    onboarding_status: 'in_progress',
    data: { status: 1, stage: 5 },
  })
})

test('stages completed ahead of their turn are skipped; a reopened one is the current stage again', async () => {
  const started = await startTestApp()
  const { id } = await winLead(started)
  const post = async (stage: number, completed_status: boolean) => {
    const { data } = await started
      .as('data_entry')
      .post(`${at}/post-onboarding`, { lead_onboaring_id: id, stage, completed_status })
    return [data.stage, data.status]
  }
  expect(await post(2, true)).toEqual([1, 1])
  expect(await post(5, true)).toEqual([1, 1])
  // Reopening a stage that was completed out of order doesn't change the current stage.
  expect([await post(5, false), await post(5, true)]).toEqual([
    [1, 1],
    [1, 1],
  ])
  expect(await post(1, true)).toEqual([3, 1])
  expect([await post(2, false), await post(2, true)]).toEqual([
    [2, 1],
    [3, 1],
  ])
  expect(await post(3, true)).toEqual([4, 1])
  expect(await post(4, true)).toEqual([4, 3])
  expect(await post(5, false)).toEqual([5, 1])
  expect(await post(5, true)).toEqual([5, 3])
})

test('an onboarding in a completed stage continues with the next one that is completed', async () => {
  const started = await startTestApp()
  const { id } = await winLead(started)
  const post = async (stage: number) =>
    (
      await started
        .as('crm')
        .post(`${at}/post-onboarding`, { lead_onboaring_id: id, stage, completed_status: true })
    )['data'].stage
  await post(1)
  await started.db.updateTable('onboardings').set({ stage: 1 }).execute()
  expect(await post(2)).toBe(3)
})

test.each([
  ['stage', { stage: 6 }],
  ['stage', {}],
  ['schedule_for', { stage: 1, schedule_for: '2026-03-20' }],
  ['send_meeting_link', { stage: 1, send_meeting_link: 'javascript:alert(1)' }],
  [
    'contact_emails',
    { stage: 1, contact_emails: Array.from({ length: 1000 }, (_, index) => `a${index}@b.example`) },
  ],
  ['contact_emails.0', { stage: 1, contact_emails: ['nobody'] }],
  ['assign_to', { stage: 1, assign_to: 9999 }],
  ['next_expected_date', { stage: 1, next_expected_date: '2026-13-01' }],
])('post-onboarding with a wrong %s is 422 and stores nothing', async (field, body) => {
  const started = await startTestApp()
  const { id } = await winLead(started)
  const reply = await started.as('crm').post(`${at}/post-onboarding`, { lead_onboaring_id: id, ...body })
  expect([reply.status, Object.keys(reply['errors'])]).toEqual([422, [field]])
  expect(await started.db.selectFrom('onboarding_steps').select('id').execute()).toEqual([])
})

test('ids that do not belong together are 404', async () => {
  const started = await startTestApp()
  const { as } = started
  const [one, other] = [await winLead(started), await winLead(started)]
  expect(
    await as('crm').post(`${at}/post-onboarding`, {
      lead_onboaring_id: one.id,
      org_id: other.org_id,
      stage: 1,
    }),
  ).toMatchObject({ status: 404 })
  expect(
    await as('crm').post(`${at}/add-onboarding-training-session`, {
      lead_onboaring_id: one.id,
      org_id: other.org_id,
      stage: 1,
    }),
  ).toMatchObject({
    status: 404,
  })
  expect(
    await as('crm').post(`${at}/send-meeting-link`, {
      lead_id: other.lead_id,
      lead_onboarding_id: one.id,
      send_meeting_link: link,
    }),
  ).toMatchObject({
    status: 404,
  })
})

test('a passcode is in no history', async () => {
  const started = await startTestApp()
  const { id } = await winLead(started)
  await started
    .as('crm')
    .post(`${at}/post-onboarding`, { lead_onboaring_id: id, stage: 1, passcode: 'Geheim-77' })
  await started
    .as('crm')
    .post(`${at}/post-onboarding`, { lead_onboaring_id: id, stage: 1, passcode: 'Geheim-78' })
  const { text } = await started.as('crm').get(`/admin/records/onboarding/${id}/history`)
  expect(text).toContain('••••')
  expect(text + JSON.stringify(await started.db.selectFrom('audit_log').selectAll().execute())).not.toContain(
    'Geheim',
  )
})

test('a training session is added to a stage, also by the form of a stage', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id, org_id } = await winLead(started)
  const { data } = await as('crm').post(`${at}/add-onboarding-training-session`, {
    id,
    lead_onboaring_id: id,
    org_id,
    stage: 4,
    training_session_request_in_followup: true,
  })
  expect(data).toMatchObject({ training_requested: true, steps: [{ stage: 4, is_training: true }] })
  expect(
    await as('crm').post(`${at}/post-onboarding`, {
      lead_onboaring_id: id,
      stage: 1,
      add_more_session: true,
    }),
  ).toMatchObject({
    data: { steps: [{ stage: 1, is_training: false }, { stage: 1, is_training: true }, { stage: 4 }] },
  })
})

test('on hold needs a reason and stores the resume date; resuming clears both, and the operation is undone', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id } = await winLead(started)
  const set = (body: object) => as('data_entry').post(`${at}/update-onboaring-status`, { id, ...body })
  expect(await set({ status: 2 })).toMatchObject({
    status: 422,
    errors: { hold_reason: [expect.any(String)] },
  })
  const { operation, data } = await set({ status: 2, hold_reason: 'Holiday', resume_on: '2026-04-01' })
  expect(data).toMatchObject({ status: 2, hold_reason: 'Holiday', resume_on: '2026-04-01' })
  expect(await as('data_entry').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ undone: 1 })
  await set({ status: 2, hold_reason: 'Holiday' })
  expect(await set({ status: 1 })).toMatchObject({ data: { status: 1, hold_reason: '', resume_on: null } })
  expect(await set({ status: 1 })).toMatchObject({ status: 409 })
})

test("a session of an onboarding is also its lead's, and updates the lead's demo status", async () => {
  const started = await startTestApp()
  const { as } = started
  const { id, lead_id } = await winLead(started)
  const { data } = await as('data_entry').post(`${at}/post-session`, {
    lead_onboaring_id: id,
    type: 'Training',
    final_date: '2026-03-20T15:00:00Z',
  })
  expect(data.sessions).toMatchObject([
    { type: 'Training', status: 2, final_date: '2026-03-20T15:00:00.000Z' },
  ])
  expect(await as('crm').get(`${at}/demo-sessions?lead_id=${lead_id}`)).toMatchObject({
    data: [{ id: data.sessions[0].id, type: 'Training' }],
  })
  expect(await as('crm').get(`${at}/getdemo?id=${lead_id}`)).toMatchObject({ data: { demo_status: 2 } })
  expect(
    await as('data_entry').post(`${at}/post-session`, {
      lead_onboaring_id: id,
      id: data.sessions[0].id,
      is_completed: true,
    }),
  ).toMatchObject({
    data: { sessions: [{ is_completed: true }] },
  })
  expect(
    await as('data_entry').get(`${at}/onboarding-schedule?from=2026-03-20&to=2026-03-20&timezone=UTC`),
  ).toMatchObject({
    data: [{ kind: 'session', name: 'Training', onboarding_id: id }],
  })
})

test('the schedule has the product, the hosts, and the length of its entries, and of “mine” only the caller’s own', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const [me, other] = [as('data_entry').id, as('support').id]
  const own = await winLead(started, { company_name: 'Own Hotel' })
  const theirs = await winLead(started, { company_name: 'Their Hotel', lead_for: 2 })
  const assign = (id: number, assign_to: number) =>
    db.updateTable('onboardings').set({ assign_to }).where('id', '=', id).execute()
  await assign(own.id, me)
  await assign(theirs.id, other)
  const session = (id: number, type: string, host_ids: number[] = []) =>
    as('super_admin').post(`${at}/post-session`, {
      lead_onboaring_id: id,
      type,
      final_date: '2026-03-20T15:00:00Z',
      minutes: 45,
      host_ids,
    })
  await session(own.id, 'Demo')
  await session(theirs.id, 'Training', [other, me])
  await session(theirs.id, 'Questions')
  const schedule = `${at}/onboarding-schedule?from=2026-03-20&to=2026-03-20&timezone=UTC`
  const shown = async (query: string) => {
    const { data } = await as('data_entry').get(`${schedule}${query}`)
    return data as { name: string; lead_for: number; led_by: string; minutes: number; status: number }[]
  }
  const names = async (query: string) => (await shown(query)).map(({ name }) => name)
  expect(await shown('')).toMatchObject([
    { name: 'Demo', lead_for: 1, minutes: 45, status: 2 },
    { name: 'Training', lead_for: 2, led_by: expect.stringContaining(', ') },
    { name: 'Questions', lead_for: 2, led_by: 'Tom Whitfield' },
  ])
  expect(await names('&assigned_filter=mine')).toEqual(['Demo', 'Training'])
  expect(await names('&assigned_filter=mine&lead_for=2')).toEqual(['Training'])
  await db.deleteFrom('staff_products').where('staff_id', '=', me).where('product_id', '=', 2).execute()
  expect(await names('')).toEqual(['Demo'])
  expect(await as('data_entry').get(`${schedule}&lead_for=2`)).toMatchObject({ status: 403 })
  expect(await as('data_entry').get(`${schedule}&assigned_filter=theirs`)).toMatchObject({
    status: 422,
    errors: { assigned_filter: [expect.any(String)] },
  })
  expect(await as('designer').get(schedule)).toMatchObject({ status: 403 })
})

test('a stage is in the schedule of the onboarding’s assignee and of the stage’s', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id } = await winLead(started)
  await as('super_admin').post(`${at}/post-onboarding`, {
    lead_onboaring_id: id,
    stage: 1,
    schedule_for: '2026-03-20T15:00:00Z',
  })
  const steps = () => db.updateTable('onboarding_steps').where('onboarding_id', '=', id)
  const setAssignee = (assign_to: number | null) =>
    db.updateTable('onboardings').set({ assign_to }).where('id', '=', id).execute()
  const mine = async () => {
    const query = 'from=2026-03-20&to=2026-03-20&timezone=UTC&assigned_filter=mine'
    return (await as('data_entry').get(`${at}/onboarding-schedule?${query}`))['data']
  }
  await setAssignee(null)
  await steps().set({ assign_to: null }).execute()
  expect(await mine()).toEqual([])
  await setAssignee(as('data_entry').id)
  expect(await mine()).toMatchObject([{ kind: 'stage', status: 2, led_by: expect.any(String) }])
  await setAssignee(as('support').id)
  expect(await mine()).toEqual([])
  await steps()
    .set({ assign_to: as('data_entry').id, completed_status: true, completed_at: '2026-03-20T16:00:00Z' })
    .execute()
  expect(await mine()).toMatchObject([{ kind: 'stage', status: 3, done: true }])
})

test('a meeting link goes to the named addresses, with the time zone of its time; without a URL it is 422 and nothing is sent', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id, lead_id } = await winLead(started, { timezone: 'Europe/Berlin' })
  const sent = { lead_id, lead_onboarding_id: id }
  expect(await as('crm').post(`${at}/send-meeting-link`, sent)).toMatchObject({
    status: 422,
    errors: { send_meeting_link: [expect.any(String)] },
  })
  await as('crm').post(`${at}/post-onboarding`, {
    lead_onboaring_id: id,
    stage: 1,
    send_meeting_link: link,
    schedule_for: '2026-03-29T08:00:00Z',
  })
  const whole = {
    ...sent,
    contact_emails: ['a@b.example', 'c@d.example'],
    send_attachment_link: 'https://files.example/plan.pdf',
  }
  const { data } = await as('crm').post(`${at}/send-meeting-link/preview`, whole)
  expect(data).toMatchObject({
    to: ['a@b.example', 'c@d.example'],
    text: expect.stringContaining('29 Mar 2026 at 10:00 (Europe/Berlin'),
  })
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
  const { mail_id } = await as('crm').post(`${at}/send-meeting-link`, whole)
  expect(await as('crm').get(`${at}/onboarding?id=${id}`)).toMatchObject({
    data: { mails: [{ id: mail_id, progress: { total: 2 } }] },
  })
  expect(await db.selectFrom('mails').select('text').executeTakeFirst()).toMatchObject({
    text: expect.stringContaining('https://files.example/plan.pdf'),
  })
})

test('a link or recipients that were cleared are required, and the link of another stage is never sent', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id, lead_id } = await winLead(started)
  await as('crm').post(`${at}/post-onboarding`, {
    lead_onboaring_id: id,
    stage: 1,
    send_meeting_link: link,
    contact_emails: ['a@b.example'],
  })
  const sent = { lead_id, lead_onboarding_id: id }
  const send = (values: object) => as('crm').post(`${at}/send-meeting-link`, { ...sent, ...values })
  const preview = (values: object) =>
    as('crm').post(`${at}/send-meeting-link/preview`, { ...sent, ...values })
  for (const call of [send, preview]) {
    expect(await call({ send_meeting_link: '' })).toMatchObject({
      status: 422,
      errors: { send_meeting_link: ['This field is required.'] },
    })
    expect(await call({ contact_emails: [] })).toMatchObject({
      status: 422,
      errors: { contact_emails: ['This email has no recipients.'] },
    })
  }
  // Control: what isn't sent comes from the stage.
  expect((await preview({}))['data']).toMatchObject({ to: ['a@b.example'] })
  await as('crm').post(`${at}/post-onboarding`, {
    lead_onboaring_id: id,
    stage: 1,
    completed_status: true,
  })
  for (const call of [send, preview])
    expect(await call({})).toMatchObject({
      status: 422,
      errors: { send_meeting_link: ['Enter a meeting link.'] },
    })
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
})

test('a meeting link goes to no banned user, even if the address is typed', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id, lead_id, org_id } = await winLead(started)
  await enterUser(db, org_id, 'Berit', { banned_at: '2026-03-01T00:00:00Z' })
  const send = (...contact_emails: string[]) =>
    as('crm').post(`${at}/send-meeting-link`, {
      lead_id,
      lead_onboarding_id: id,
      send_meeting_link: link,
      contact_emails,
    })
  expect(await send('carl@aalto.example', 'BERIT@aalto.example')).toMatchObject({
    status: 422,
    errors: { contact_emails: [expect.stringContaining('banned')] },
  })
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
  // Another user with the same email address is not banned.
  await enterUser(db, org_id, 'Twin', { email: 'berit@aalto.example' })
  expect(await send('carl@aalto.example', 'berit@aalto.example')).toMatchObject({ status: 200 })
})

test("the credentials email names the product's URL, or asks for a reply; never the panel's own sign-in, nor a password", async () => {
  const started = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example.com' } })
  const { as, db } = started
  const { id, org_id } = await winLead(started, { email: 'aino@aalto.example' })
  await enterUser(db, org_id, 'Berit', { banned_at: '2026-03-01T00:00:00Z' })
  const mail = async (stage: number) => {
    await as('crm').post(`${at}/post-onboarding`, {
      lead_onboaring_id: id,
      stage,
      send_email_for_set_crendentials: 1,
    })
    return db
      .selectFrom('mails')
      .select(['id', 'kind', 'record_type', 'reply_to', 'text', 'html'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  }
  const first = await mail(1)
  expect(first).toMatchObject({
    kind: 'set-credentials',
    record_type: 'onboarding',
    reply_to: 'paula.ferreira@example.com',
    text: expect.stringContaining('Reply to this email and we’ll send you the link to set your password.'),
  })
  for (const written of [first.text, first.html]) expect(written).not.toMatch(/panel\.example|\/login|Forgot/)
  expect(await db.selectFrom('mail_recipients').select('address').execute()).toEqual([
    { address: 'aino@aalto.example' },
  ])

  const credentials_url = 'https://linen.example/welcome?a=1&b=2'
  await as('admin').post('/admin/settings', { products: [{ id: 1, credentials_url }] })
  const second = await mail(2)
  expect(second.text).toContain(`Go to ${credentials_url} to set your password.`)
  expect(withoutStyles(second.html)).toContain('<a href="https://linen.example/welcome?a=1&amp;b=2">')
  expect(second.text + second.html).not.toMatch(/panel\.example|\/login|Forgot/)
})

test('search follows the names of the organization and the lead', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id, lead_id, org_id } = await winLead(started, { company_name: 'Aalto Linen' })
  const found = async (search: string) =>
    (await as('crm').get(`${at}/get-demo-leads?tab=in_progress&search=${search}`)).data.map(
      (row: { id: number }) => row.id,
    )
  expect(await found('aalto')).toEqual([id])
  expect(await found('l%C3%ADnen%20AALTO')).toEqual([id])

  await as('super_admin').post(`/admin/organization/${org_id}/update`, { name: 'Bergen Spa' })
  expect(await found('bergen')).toEqual([id])
  await db.updateTable('leads').set({ company_name: 'Cork Tannery' }).where('lead_id', '=', lead_id).execute()
  expect(await found('cork')).toEqual([id])
  // Control: the previous names no longer match.
  expect(await found('aalto')).toEqual([])

  await db
    .updateTable('onboardings')
    .set({ organization_id: await enterOrganization(db, { name: 'Delft Towels' }) })
    .execute()
  expect(await found('delft')).toEqual([id])
})

test('search ignores accents, in the name and in what is typed', async () => {
  const started = await startTestApp()
  const { id } = await winLead(started, { company_name: 'Côte Perlé Müller' })
  await winLead(started, { company_name: 'Cork Tannery' })
  const found = async (search: string) =>
    (
      await started.as('crm').get(`${at}/get-demo-leads?tab=in_progress&search=${encodeURIComponent(search)}`)
    ).data.map((row: { id: number }) => row.id)
  for (const search of ['cote perle', 'Muller', 'PÉRLE côté', 'müller cote'])
    expect([search, await found(search)]).toEqual([search, [id]])
  // Control: other letters don't match.
  expect(await found('kote')).toEqual([])
})

test.each([
  ['a new organization', 'session'],
  ['a new organization', 'undo'],
  ['an existing organization', 'session'],
  ['an existing organization', 'undo'],
] as const)(
  'a session and the undo of a win with %s wait for each other without a deadlock, the %s first',
  async (of, first) => {
    const started = await startTestApp()
    const { as, db } = started
    const organization_id = of === 'a new organization' ? undefined : await enterOrganization(db)
    const { data, operation } = await as('super_admin').post(`${at}/lead-create-organization`, {
      lead_id: await enterLead(db, { email: 'aino@aalto.example' }),
      organization_id,
    })
    const id: number = data.onboarding_id
    const sends = [
      () => as('data_entry').post(`${at}/post-session`, { lead_onboaring_id: id, type: 'Demo' }),
      () => as('super_admin').post(`/admin/operations/${operation.id}/undo`),
    ]
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows[0]!.count
    }
    // While the onboarding is locked, both requests have to wait, in the given order: for the onboarding or
    // for each other.
    const replies = await db.transaction().execute(async (trx) => {
      await sql`select from onboardings where id = ${id} for update`.execute(trx)
      const running: Promise<Reply>[] = []
      for (const send of first === 'session' ? sends : sends.toReversed()) {
        running.push(send())
        await expect.poll(waiting).toBe(running.length)
      }
      return running
    })
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    expect(statuses).toEqual(first === 'session' ? [200, 200] : [200, 404])
  },
)
