import { sql } from 'kysely'
import { dayText, plainDate, type PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { csvOf } from '#shared/field.ts'
import { organizationNames } from '#shared/organizations.contract.ts'
import { chooseRecipients } from '#shared/recipients.ts'
import { counted } from '#shared/records.ts'
import { wallTime } from '#shared/zones.ts'
import { organizations, type OrganizationFilters } from '#features/crm/organizations/contract.ts'
import { organizationFields, organizationStatuses } from '#features/crm/organizations/fields.ts'
import { isTrialRunning, onTrial, trialEnd } from '#features/crm/organizations/rules.ts'
import { findSetting } from '#features/admin/settings/server/panel-settings.queries.ts'
import {
  allOrganizations,
  customerUserKind,
  findNames,
  findOrganizations,
  findPlaces,
  countDocuments,
  findUsersToMail,
  getDetail,
  getOrganization,
  idsOfMatching,
  mostAtOnce,
  organizationKind,
  previewStatus,
} from '#features/crm/organizations/server/organizations.queries.ts'
import { findReminders, remindOfOrganizations } from '#features/crm/organizations/server/reminders.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, HttpError, invalid, notFound } from '#server/http/errors.ts'
import { personalMail } from '#server/personal-mail.ts'
import { implement, type App, type WriteContext } from '#server/http/implement.ts'
import { findUnsubscribed } from '#server/mail/unsubscribe.ts'
import { chooseFiles, filesOf, linksFor } from '#server/record-files.ts'
import { replyCsv } from '#server/record/list.ts'
import { changeInBulk, inBackground, setValues } from '#server/record/batches.ts'
import { countBelonging } from '#server/record/belonging.ts'
import { changeRecord, getRecord, lockRecord } from '#server/record/record.ts'

type Writing = Pick<
  WriteContext<typeof organizations.update>,
  'db' | 'viewer' | 'clock' | 'called' | 'record' | 'changed' | 'enqueue' | 'afterCommit'
>

const namesAtOnce = 1000
const namesPerPage = 100
const leftOutShown = 200
const everyHour = '7 * * * *'

export function organizationRoutes(app: App): void {
  app.records.register(organizationKind)
  app.records.register(customerUserKind)
  const today = () => plainDate(app.clock.now())
  // Runs hourly, because days start at different times in different time zones. No reminder is sent twice.
  app.jobs.every('organization-reminders', everyHour, async () => {
    for (const staff_id of await remindOfOrganizations(app.db, today()))
      app.live.publish(`private-staff.${staff_id}`, 'organization-reminders', {})
  })

  implement(app, organizations.list, ({ query }, { db, viewer }) =>
    findOrganizations(db, query, viewer, today()),
  )

  implement(app, organizations.export, ({ query }, { db, viewer, reply }) =>
    replyCsv(
      app.pool,
      reply,
      'organizations.csv',
      allOrganizations(db, query, viewer, today()),
      csvOf(organizationFields),
    ),
  )

  implement(app, organizations.commonAll, async ({ query }, { db, viewer }) => ({
    data: (await findNames(db, query, viewer, namesAtOnce)).data,
  }))
  implement(app, organizationNames, ({ query }, { db, viewer }) =>
    findNames(db, query, viewer, namesPerPage, query.page),
  )
  implement(app, organizations.states, async (_input, { db, viewer }) => ({
    data: await findPlaces(db, 'state', viewer),
  }))
  implement(app, organizations.countries, async (_input, { db, viewer }) => ({
    countries: await findPlaces(db, 'country', viewer),
  }))
  implement(app, organizations.orgUser, async ({ query }, { db, viewer, clock }) => ({
    data: await getDetail(db, query.org_id, query.user, viewer, clock.now()),
  }))

  const change = async (
    context: Writing,
    id: number,
    values: Record<string, unknown>,
    message: string,
    summary?: string,
    stated = {},
  ) => {
    const current = () => getOrganization(context.db, id, context.viewer)
    const { operation } = await changeRecord(context, organizationKind, id, values, {
      stated,
      current,
      ...(summary ? { summary } : {}),
    })
    return { message, data: await current(), operation }
  }

  implement(
    app,
    organizations.update,
    async ({ params: { id }, body: { version, base, product_ids, ...values } }, context) => {
      const products =
        product_ids === undefined
          ? {}
          : { product_ids: [...product_ids, ...(await foreignProducts(context, id))] }
      return change(context, id, { ...values, ...products }, 'Organization saved.', undefined, {
        version,
        base,
      })
    },
  )

  implement(app, organizations.startTrial, async ({ body: { org_id } }, context) => {
    const held = await lockRecord(context.db, organizationKind, org_id, context.viewer)
    const day = wallTime(app.clock.now(), held['timezone'] as string).day
    if (isTrialRunning(held as never, day))
      throw conflict('A trial is already running.', await getOrganization(context.db, org_id, context.viewer))
    const end = trialEnd(day, await findSetting(context.db, 'trial_days', app.settings.trialDays))
    return change(
      context,
      org_id,
      { status: onTrial, trial_end_date: end },
      `Trial started. It ends on ${dayText(end)}.`,
      'Trial started',
    )
  })

  implement(
    app,
    organizations.updateTrialDate,
    async ({ body: { id, trial_date, trial_in_days } }, context) => {
      const held = await lockRecord(context.db, organizationKind, id, context.viewer)
      if (held['status'] !== onTrial)
        throw conflict(
          'This organization isn’t on trial.',
          await getOrganization(context.db, id, context.viewer),
        )
      const end =
        trial_date ?? trialEnd(wallTime(app.clock.now(), held['timezone'] as string).day, trial_in_days!)
      return change(
        context,
        id,
        { trial_end_date: end },
        `The trial ends on ${dayText(end)}.`,
        'Trial end date set',
      )
    },
  )

  implement(app, organizations.storeVideo, ({ body: { org_id, ...video } }, context) =>
    change(context, org_id, video, 'Video link has been uploaded successfully', 'Demo video added'),
  )
  implement(app, organizations.updateVideo, ({ body: { id, ...video } }, context) =>
    change(context, id, video, 'Video link has been uploaded successfully', 'Demo video changed'),
  )

  const setStatus = async (
    context: Writing,
    ids: readonly number[],
    status: number,
    end: PlainDate | undefined,
  ) => {
    const wanted = [...new Set(ids)]
    const { refused, changing, already } = await previewStatus(
      context.db,
      wanted,
      { status, end, now: context.clock.now() },
      context.viewer,
    )
    if (refused + changing + already < wanted.length)
      throw notFound(
        wanted.length === 1 ? 'Organization not found.' : 'One or more of these organizations don’t exist.',
      )
    if (refused)
      throw invalid(
        'trial_end_date',
        refused === 1
          ? 'Set an end date for the trial.'
          : `Set a trial end date: ${refused} organizations have no end date or one that has passed.`,
      )
    const name = organizationStatuses[status as keyof typeof organizationStatuses]
    const done = await changeInBulk(context, organizationKind, wanted, {
      change: setValues({ status, ...(end === undefined ? {} : { trial_end_date: end }) }),
      summary: `Status set to ${name}`,
    })
    if (done.running) return { message: inBackground, operation: done.operation, changed: 0, unchanged: 0 }
    const counts = { changed: done.changed.length, unchanged: done.unchanged }
    const same = counts.unchanged ? ` ${counts.unchanged} already had this status.` : ''
    return {
      message: `Status set to ${name}: ${counted('organization', counts.changed)}.${same}`,
      operation: done.operation,
      ...counts,
    }
  }

  implement(
    app,
    organizations.changeStatus,
    ({ query: { status, org_id, org_ids, trial_end_date } }, context) =>
      setStatus(context, org_ids ?? [org_id!], status, trial_end_date),
  )

  const idsThatFit = async (
    { db, viewer }: { db: Db; viewer: Viewer },
    filters: Partial<OrganizationFilters>,
  ) => {
    const ids = await idsOfMatching(db, filters, viewer, today())
    if (ids.length > mostAtOnce)
      throw new HttpError(422, 'Select up to 10,000 organizations at a time.', {
        errors: { filters: ['You can change up to 10,000 organizations at a time. Narrow the filters.'] },
      })
    return ids
  }

  implement(
    app,
    organizations.changeMatching,
    async ({ body: { filters, status, trial_end_date, expected } }, context) => {
      const ids = await idsThatFit(context, filters)
      if (expected !== undefined && expected !== ids.length)
        throw conflict(
          `${ids.length} organizations match now, not ${expected}. Review the list and try again.`,
          { count: ids.length },
        )
      if (!ids.length) throw invalid('filters', 'No organizations match the filters.')
      return setStatus(context, ids, status, trial_end_date)
    },
  )

  implement(
    app,
    organizations.previewStatus,
    async ({ body: { filters, org_ids, status, trial_end_date } }, { db, viewer, clock }) => {
      if ((filters === undefined) === (org_ids === undefined))
        throw invalid('org_ids', 'Send either org_ids or filters.')
      const ids = org_ids ?? (await idsThatFit({ db, viewer }, filters!))
      return previewStatus(db, [...new Set(ids)], { status, end: trial_end_date, now: clock.now() }, viewer)
    },
  )

  implement(app, organizations.documents, async ({ params: { id } }, context) => {
    const { db, viewer } = context
    const held = await getRecord(db, organizationKind, id, viewer)
    const files = await filesOf(db, 'organization', [id], linksFor(context), 'attachment')
    const { rows: removed } = await sql<{
      id: number
      name: string
      at: string
    }>`select f.id, f.name, l.deleted_at as at from file_links l join files f on f.id = l.file_id
      where l.record_type = 'organization' and l.record_id = ${id} and l.role = 'attachment' and l.deleted_at is not null
        and not exists (select from file_links o where o.file_id = f.id and o.record_type = 'organization' and o.record_id = ${id} and o.deleted_at is null)
      order by l.deleted_at desc limit 100`.execute(db)
    return { data: files.get(id)!, removed, organization: { id, name: held['name'] as string } }
  })

  implement(
    app,
    organizations.addDocuments,
    async ({ params: { id }, body: { file_ids, label } }, context) => {
      const { db, viewer, files } = context
      const held = await lockRecord(db, organizationKind, id, viewer)
      const before = held['file_ids'] as number[]
      const sent = { files: files.attachment ?? [], file_ids }
      const ids = (await chooseFiles(app.files, context, organizationKind, 'file_ids', sent, id)) ?? []
      if (!ids.length) throw invalid('attachment', 'Choose at least one file.')
      const { operation } = await changeRecord(
        context,
        organizationKind,
        id,
        { file_ids: [...before, ...ids] },
        { summary: 'Documents added' },
      )
      if (label !== '')
        await db
          .updateTable('file_links')
          .set({ label })
          .where('record_type', '=', 'organization')
          .where('record_id', '=', id)
          .where('file_id', 'in', ids)
          .where('deleted_at', 'is', null)
          .execute()
      return { message: ids.length === 1 ? 'Document added.' : `${ids.length} documents added.`, operation }
    },
  )

  implement(
    app,
    organizations.removeDocument,
    async ({ params: { id }, body: { file_id, back } }, context) => {
      const { db, viewer } = context
      const held = await lockRecord(db, organizationKind, id, viewer)
      const before = held['file_ids'] as number[]
      const link = await db
        .selectFrom('file_links')
        .select('id')
        .where('record_type', '=', 'organization')
        .where('record_id', '=', id)
        .where('role', '=', 'attachment')
        .where('file_id', '=', file_id)
        .executeTakeFirst()
      if (!link || before.includes(file_id) === back) throw notFound('Document not found.')
      const { operation } = await changeRecord(
        context,
        organizationKind,
        id,
        { file_ids: back ? [...before, file_id] : before.filter((one) => one !== file_id) },
        { summary: back ? 'Document restored' : 'Document removed' },
      )
      return { message: back ? 'Document restored.' : 'Document removed.', operation }
    },
  )

  implement(app, organizations.used, async ({ body: { ids } }, { db, viewer }) => ({
    data: await countBelonging(db, app.records.all(), 'organization', ids, viewer),
    documents: await countDocuments(db, ids, viewer),
  }))

  const recipientsOf = async (db: Db, id: number, viewer: Viewer) => {
    await getRecord(db, organizationKind, id, viewer)
    const candidates = await findUsersToMail(db, id)
    const addresses = candidates.map(({ address }) => address)
    return chooseRecipients(candidates, await findUnsubscribed(db, addresses))
  }

  implement(app, organizations.mailRecipients, async ({ params: { id } }, { db, viewer }) => {
    const { to, leftOut } = await recipientsOf(db, id, viewer)
    return { count: to.length, left_out: leftOut.slice(0, leftOutShown), left_out_total: leftOut.length }
  })

  implement(app, organizations.mail, async ({ params: { id }, body }, { db, viewer, record, changed }) => {
    const { to, leftOut } = await recipientsOf(db, id, viewer)
    if (!to.length) throw invalid('subject', 'None of this organization’s users can receive email.')
    const { email } = await db
      .selectFrom('staff')
      .select('email')
      .where('id', '=', viewer.id)
      .executeTakeFirstOrThrow()
    const mail_id = await app.mail.queue(db, {
      kind: 'organization',
      to,
      ...personalMail(body.subject, body.message, app.settings.publicUrl),
      reply_to: email,
      record: { type: 'organization', id },
      staff_id: viewer.id,
      unsubscribable: true,
    })
    record({ target: 'organization', id, after: { mail: body.subject, mail_to: to.length } })
    changed('mails', [mail_id])
    changed('organization', [id])
    return {
      message: to.length === 1 ? 'Sending the email to 1 user.' : `Sending the email to ${to.length} users.`,
      left_out: leftOut.slice(0, leftOutShown),
    }
  })

  implement(app, organizations.reminders, async (_input, { db, viewer }) => ({
    data: await findReminders(db, viewer.id, viewer.products),
  }))

  implement(
    app,
    organizations.remindersDone,
    async ({ params: { id }, body: { done } }, { db, viewer, record }) => {
      const { numUpdatedRows } = await db
        .updateTable('organization_reminders')
        .set({ done_at: done ? sql<string>`coalesce(done_at, now())` : null })
        .where('id', '=', id)
        .where('staff_id', '=', viewer.id)
        .executeTakeFirst()
      if (!numUpdatedRows) throw notFound('Reminder not found.')
      record({ target: 'organization_reminder', id, after: { done } })
      return { message: done ? 'Reminder marked as done.' : 'Reminder reopened.' }
    },
  )
}

/**
 * Returns an organization's products that the viewer doesn't have; these are kept regardless of the request.
 */
async function foreignProducts(
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  id: number,
): Promise<number[]> {
  const held = await lockRecord(db, organizationKind, id, viewer)
  return (held['product_ids'] as number[]).filter((product) => !viewer.products.includes(product))
}
