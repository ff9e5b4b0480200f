import { sql } from 'kysely'
import { plainDate } from '#shared/dates.ts'
import { csvOf } from '#shared/field.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { chooseRecipients, type Candidate, type Chosen } from '#shared/recipients.ts'
import {
  customerUserKind,
  getOrganization,
} from '#features/crm/organizations/server/organizations.queries.ts'
import { users } from '#features/crm/users/contract.ts'
import { userFields } from '#features/crm/users/fields.ts'
import {
  allUsers,
  changeList,
  countOfOtherProducts,
  countOthers,
  findAssignable,
  findBanned,
  findByText,
  findCandidates,
  findMasters,
  findOnList,
  findSameEmail,
  findMailingList,
  findStaffOfRole,
  findUsers,
  getUser,
  liftEndedBans,
  notBanned,
} from '#features/crm/users/server/users.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, HttpError, invalid, notFound } from '#server/http/errors.ts'
import { emailOfStaff, personalMail, previewOf } from '#server/personal-mail.ts'
import { implement, type App, type WriteContext } from '#server/http/implement.ts'
import { usedIn } from '#server/option-lists.ts'
import { findUnsubscribed } from '#server/mail/unsubscribe.ts'
import { writeNote } from '#server/record/history.queries.ts'
import { replyCsv } from '#server/record/list.ts'
import { changeRecord, createRecord, lockRecord, trashRecords } from '#server/record/record.ts'
import { touchRecords } from '#server/record/touch.ts'

type Writing = Pick<WriteContext<typeof users.update>, 'db' | 'viewer' | 'called' | 'record' | 'changed'>

const searchedAtOnce = 20
const namesAtOnce = 300
const leftOutShown = 200
const secondsToCallOff = 60
const everyFiveMinutes = '*/5 * * * *'

/**
 * Registers the endpoints for customer users and for emailing them. Customer user IDs are separate from admin
 * user IDs.
 */
export function userRoutes(app: App): void {
  app.optionLists.register('customer_roles', {
    table: 'customer_roles',
    key: 'id',
    fixed: { '3': 'New users start with this role.' },
    used: usedIn('customer_users', 'role_id'),
    usedBy: ['user has', 'users have'],
  })
  app.mail.onUnsubscribe(async (db, address) => {
    const isSubscribed = sql`r.email = ${address} and r.is_subscribed = 1`
    const ids = await touchRecords({ db }, customerUserKind, isSubscribed, { is_subscribed: 0 })
    return ids.map((id) => ({
      target: 'customer_user' as const,
      id,
      before: { is_subscribed: 1 },
      after: { is_subscribed: 0 },
    }))
  })
  app.jobs.every('customer-bans', everyFiveMinutes, async () => {
    const lifted = await liftEndedBans(app.db, app.clock.now())
    if (lifted.length) app.live.changed('customer_user', lifted, null)
  })

  implement(app, users.list, ({ query }, { db, viewer }) => findUsers(db, query, viewer))
  implement(app, users.export, ({ query }, { db, viewer, reply }) =>
    replyCsv(app.pool, reply, 'users.csv', allUsers(db, query, viewer), csvOf(userFields)),
  )
  implement(app, users.search, async ({ query }, { db, viewer }) => ({
    data: query.q === '' ? [] : await findByText(db, query.q, viewer, searchedAtOnce),
  }))
  implement(app, users.banned, ({ query }, { db, viewer }) => findBanned(db, query, viewer))
  implement(app, users.masters, ({ query }, { db, viewer }) => findMasters(db, query, viewer))
  implement(app, users.master, async ({ params }, { db, viewer }) => {
    const user = await getUser(db, params.id, viewer)
    if (!user.is_master) throw notFound('This user is not a master user.')
    return { data: { ...user, manages: await countOthers(db, user) } }
  })
  implement(app, users.show, async ({ params }, { db, viewer }) => ({
    data: await getUser(db, params.id, viewer),
  }))
  implement(app, users.assignUser, async ({ query }, { db, viewer }) => ({
    data: await findAssignable(db, query.product_id === undefined ? viewer.products : [query.product_id]),
  }))
  implement(app, users.adminUsersList, async ({ params: { x } }, { db }) => ({
    data: await findStaffOfRole(db, x === 'all' ? undefined : Number(x)),
  }))
  implement(app, users.getUsers, async ({ query }, { db, viewer }) => ({
    data: (await findByText(db, query.search, viewer, namesAtOnce)).map(({ id, name, organization }) => ({
      id,
      name,
      organization,
    })),
  }))

  implement(app, users.create, async ({ body }, context) => {
    const { db, viewer } = context
    await demandOrganization(db, body.organization_id, viewer)
    const id = await createRecord(context, customerUserKind, body, { created_by: viewer.id })
    const data = await getUser(db, id, viewer)
    return { message: 'User created.', data, warning: (await findSameEmail(db, data, viewer)) ?? null }
  })

  const change = async (
    context: Writing,
    id: number,
    values: Record<string, unknown>,
    summary: string,
    stated = {},
  ) => {
    const { db, viewer } = context
    if (typeof values['organization_id'] === 'number')
      await demandOrganization(db, values['organization_id'], viewer)
    const current = () => getUser(db, id, viewer)
    const { before, after, operation } = await changeRecord(context, customerUserKind, id, values, {
      summary,
      stated,
      current,
    })
    // Manually resubscribing a user means that they want emails again.
    if (before['is_subscribed'] === 0 && after['is_subscribed'] === 1 && after['email'])
      await db
        .deleteFrom('mail_unsubscribed')
        .where('address', '=', after['email'] as string)
        .execute()
    return { data: await current(), operation }
  }

  implement(app, users.update, async ({ body: { id, version, base, ...values } }, context) => {
    const done = await change(context, id, values, 'Edited', { version, base })
    const warning =
      values.email === undefined ? undefined : await findSameEmail(context.db, done.data, context.viewer)
    return { message: 'User saved.', ...done, warning: warning ?? null }
  })
  implement(app, users.updateOrgUser, async ({ body: { id, ...values } }, context) => ({
    success: true as const,
    message: 'User saved.',
    ...(await change(context, id, values, 'Edited')),
  }))
  implement(app, users.assignRole, async ({ params: { master_user_id }, body: { role } }, context) => {
    const held = await lockRecord(context.db, customerUserKind, master_user_id, context.viewer)
    if (held['is_master'] !== true)
      throw conflict(
        'This user isn’t a master user.',
        await getUser(context.db, master_user_id, context.viewer),
      )
    return {
      message: 'Role assigned.',
      ...(await change(context, master_user_id, { role_id: role }, 'Role assigned')),
    }
  })
  implement(app, users.remove, async ({ params }, context) => {
    const operation = await trashRecords(context, customerUserKind, [params.id])
    return { message: `${operation.summary}.`, operation }
  })

  implement(
    app,
    users.ban,
    async ({ params: { id }, body: { reason, until } }, { db, viewer, clock, record, changed }) => {
      await lockRecord(db, customerUserKind, id, viewer)
      const before = await getUser(db, id, viewer)
      if (until !== undefined && until <= plainDate(clock.now()))
        throw invalid('until', 'Choose a date after today.')
      const ban = { ban_reason: reason, banned_until: until === undefined ? null : `${until}T00:00:00.000Z` }
      const banned_at = before.banned_at ?? clock.now().toISOString()
      await touchRecords({ db, changed }, customerUserKind, id, { ...ban, banned_at, banned_by: viewer.id })
      record({
        target: 'customer_user',
        id,
        before: {
          banned: before.banned_at !== null,
          ban_reason: before.ban_reason,
          banned_until: before.banned_until,
        },
        after: { banned: true, ...ban },
      })
      return { message: 'User banned.', data: await getUser(db, id, viewer) }
    },
  )
  implement(app, users.unban, async ({ params: { id } }, { db, viewer, record, changed }) => {
    await lockRecord(db, customerUserKind, id, viewer)
    const before = await getUser(db, id, viewer)
    if (before.banned_at === null) throw conflict('This user isn’t banned.', before)
    await touchRecords({ db, changed }, customerUserKind, id, notBanned)
    record({
      target: 'customer_user',
      id,
      before: { banned: true, ban_reason: before.ban_reason },
      after: { banned: false, ban_reason: '' },
    })
    return { message: 'User unbanned.', data: await getUser(db, id, viewer) }
  })
  implement(app, users.saveNote, async ({ body: { note, user } }, context) => {
    const done = await writeNote(context, customerUserKind, user, note)
    return { message: 'Note added.', ...done }
  })

  const queue = async (
    { db, viewer, changed }: Pick<Writing, 'db' | 'viewer' | 'changed'>,
    { subject, note }: { subject: string; note: string },
    { to, leftOut }: Chosen,
    more: {
      kind: string
      record?: { type: string; id: number }
      product_id?: number
      sendAfterSeconds?: number
      unsubscribable?: boolean
    },
  ) => {
    const mail_id = await app.mail.queue(db, {
      to,
      ...renderUserMail(subject, note),
      ...more,
      reply_to: await emailOfStaff(db, viewer.id),
      staff_id: viewer.id,
    })
    changed('mails', [mail_id])
    const message =
      to.length === 1 ? 'Sending the email to 1 user.' : `Sending the email to ${to.length} users.`
    return { message, mail_id, count: to.length, left_out: leftOut.slice(0, leftOutShown) }
  }
  const renderUserMail = (subject: string, note: string) =>
    personalMail(subject, note, app.settings.publicUrl)

  const choose = async (db: Db, candidates: readonly Candidate[]) =>
    chooseRecipients(
      candidates,
      await findUnsubscribed(
        db,
        candidates.map(({ address }) => address),
      ),
    )

  const findChosen = async (db: Db, user: readonly number[], viewer: Viewer) => {
    const ids = [...new Set(user)]
    const candidates = await findCandidates(db, ids, viewer)
    if (candidates.length < ids.length)
      throw notFound(ids.length === 1 ? 'User not found.' : 'One or more of these users don’t exist.')
    return { ids, candidates, chosen: await choose(db, candidates) }
  }

  implement(app, users.emailRecipients, async ({ body: { user } }, { db, viewer }) => {
    const { to, leftOut } = (await findChosen(db, user, viewer)).chosen
    return { count: to.length, left_out: leftOut.slice(0, leftOutShown), left_out_total: leftOut.length }
  })

  implement(app, users.sendEmail, async ({ body: { subject, note, user } }, context) => {
    const { db, viewer, record } = context
    const { ids, candidates, chosen } = await findChosen(db, user, viewer)
    if (!chosen.to.length) throw noRecipientsError('user', chosen)
    const sent = await queue(context, { subject, note }, chosen, {
      kind: 'user',
      sendAfterSeconds: secondsToCallOff,
      unsubscribable: true,
      ...(ids.length === 1 ? { record: { type: 'customer_user', id: ids[0]! } } : {}),
    })
    const reached = new Set(chosen.to.map(({ address }) => address))
    for (const { id, address } of candidates)
      if (reached.delete((address ?? '').trim().toLowerCase()))
        record({ target: 'customer_user', id, after: { mail: subject } })
    return sent
  })

  const onList = async (db: Db, viewer: Viewer, product_id: number) =>
    choose(db, await findOnList(db, { staff_id: viewer.id, product_id }))

  implement(app, users.senders, async ({ query }, { db, viewer }) => {
    const product_id = chosenProduct(query.product_id, viewer)
    const { to, leftOut } = await onList(db, viewer, product_id)
    const data = await findMailingList(db, { staff_id: viewer.id, product_id })
    return {
      data,
      count: to.length,
      left_out: leftOut.slice(0, leftOutShown),
      left_out_total: leftOut.length,
    }
  })

  implement(
    app,
    users.saveSender,
    async ({ body: { user_ids, org_ids, remove_sender_ids, product_id: named } }, { db, viewer, record }) => {
      const product_id = chosenProduct(named, viewer)
      const wanted = new Set(user_ids).size + new Set(org_ids).size + new Set(remove_sender_ids).size
      if (wanted === 0) throw invalid('user_ids', 'Select at least one item.')
      const { found, total } = await changeList(
        db,
        { staff_id: viewer.id, product_id },
        { user_ids, org_ids, remove: remove_sender_ids },
      )
      const other = await countOfOtherProducts(db, product_id, viewer, { user_ids, org_ids })
      if (found + other.count < wanted)
        throw notFound('One or more of these users, organizations, or entries don’t exist.')
      if (found === 0)
        throw invalid(
          'user_ids',
          `This is your mailing list for ${other.product}, and none of these users and organizations use it. To add them to another product’s list, filter the users by that product first.`,
        )
      record({
        target: 'mail_senders',
        id: product_id,
        after: {
          added: (user_ids?.length ?? 0) + (org_ids?.length ?? 0),
          removed: remove_sender_ids?.length ?? 0,
          total,
        },
      })
      const leftOut = other.count
        ? ` ${other.count} ${other.count === 1 ? 'was' : 'were'} left out: their organizations don’t use ${other.product}.`
        : ''
      return {
        message: `Your mailing list for ${other.product} now has ${total} ${total === 1 ? 'entry' : 'entries'}.${leftOut}`,
        total,
      }
    },
  )

  implement(app, users.sendBulkEmail, async ({ body: { product_id: named, ...mail } }, context) => {
    const { db, viewer, record } = context
    const product_id = chosenProduct(named, viewer)
    const chosen = await onList(db, viewer, product_id)
    if (!chosen.to.length) throw noRecipientsError('subject', chosen)
    const sent = await queue(context, mail, chosen, {
      kind: 'users-bulk',
      product_id,
      sendAfterSeconds: secondsToCallOff,
      unsubscribable: true,
    })
    record({ target: 'mail', id: sent.mail_id, after: { mail: mail.subject, mail_to: chosen.to.length } })
    return sent
  })

  implement(app, users.previewEmail, async ({ body: { subject, note } }, { viewer }) => ({
    data: previewOf(renderUserMail(subject, note), viewer.name.split(' ')[0]!),
  }))

  implement(
    app,
    users.testBulkEmail,
    async ({ body: { subject, note } }, { db, viewer, record, changed }) => {
      const id = await app.mail.sendTest(db, viewer, {
        kind: 'users-bulk',
        to: [{ address: 'nobody@example.com', name: '' }],
        ...renderUserMail(subject, note),
      })
      record({ target: 'mail', id, after: { mail: subject } })
      changed('mails', [id])
      return { message: 'Sending a test email to you.' }
    },
  )
}

const noRecipientsError = (field: string, { leftOut }: Chosen) =>
  new HttpError(
    422,
    leftOut.length ? 'None of the recipients can receive email.' : 'Your mailing list is empty.',
    {
      errors: {
        [field]: [
          leftOut.length ? 'None of the recipients can receive email.' : 'Your mailing list is empty.',
        ],
      },
    },
  )

/** @throws HttpError 422 if the organization is outside the viewer's scope. */
async function demandOrganization(db: Db, id: number, viewer: Viewer): Promise<void> {
  await getOrganization(db, id, viewer).catch((error: unknown) => {
    throw error instanceof HttpError && error.status === 404
      ? invalid('organization_id', 'This organization doesn’t exist.')
      : error
  })
}

function chosenProduct(named: number | undefined, { products }: Viewer): number {
  const product = named ?? products[0]
  if (product === undefined) throw invalid('product_id', 'You don’t have access to any products.')
  return product
}
