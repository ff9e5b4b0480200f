import type { Viewer } from '#shared/endpoint.ts'
import { users } from '#features/crm/users/contract.ts'
import {
  changeList,
  countOfOtherProducts,
  findOnList,
  findMailingList,
} from '#features/crm/users/server/users.queries.ts'
import {
  leftOutShown,
  secondsToCallOff,
  queueEmail,
  renderUserMail,
  chooseFrom,
  noRecipientsError,
} from '#features/crm/users/server/emails.routes.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { implement, type App, type Handler } from '#server/http/implement.ts'

const chooseOnList = async (db: Db, viewer: Viewer, product_id: number) =>
  chooseFrom(db, await findOnList(db, { staff_id: viewer.id, product_id }))

const showMailingList: Handler<typeof users.senders> = async ({ query }, { db, viewer }) => {
  const product_id = chosenProduct(query.product_id, viewer)
  const { to, leftOut } = await chooseOnList(db, viewer, product_id)
  const data = await findMailingList(db, { staff_id: viewer.id, product_id })
  return {
    data,
    count: to.length,
    left_out: leftOut.slice(0, leftOutShown),
    left_out_total: leftOut.length,
  }
}

const changeMailingList: Handler<typeof users.saveSender> = async (
  { body: { user_ids, org_ids, remove_sender_ids, product_id: named } },
  { db, viewer, audit },
) => {
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
  audit({
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
}

const sendBulkEmail =
  (app: App): Handler<typeof users.sendBulkEmail> =>
  async ({ body: { product_id: named, ...mail } }, context) => {
    const { db, viewer, audit } = context
    const product_id = chosenProduct(named, viewer)
    const chosen = await chooseOnList(db, viewer, product_id)
    if (!chosen.to.length) throw noRecipientsError('subject', chosen)
    const sent = await queueEmail(app, context, mail, chosen, {
      kind: 'users-bulk',
      product_id,
      sendAfterSeconds: secondsToCallOff,
      unsubscribable: true,
    })
    audit({ target: 'mail', id: sent.mail_id, after: { mail: mail.subject, mail_to: chosen.to.length } })
    return sent
  }

const testBulkEmail =
  (app: App): Handler<typeof users.testBulkEmail> =>
  async ({ body: { subject, note } }, { db, viewer, audit, changed }) => {
    const id = await app.mail.sendTest(db, viewer, {
      kind: 'users-bulk',
      to: [{ address: 'preview@example.com', name: '' }],
      ...renderUserMail(app, subject, note),
    })
    audit({ target: 'mail', id, after: { mail: subject } })
    changed('mails', [id])
    return { message: 'Sending a test email to you.' }
  }

export function mailingListRoutes(app: App): void {
  implement(app, users.senders, showMailingList)
  implement(app, users.saveSender, changeMailingList)
  implement(app, users.sendBulkEmail, sendBulkEmail(app))
  implement(app, users.testBulkEmail, testBulkEmail(app))
}

function chosenProduct(named: number | undefined, { products }: Viewer): number {
  const product = named ?? products[0]
  if (product === undefined) throw invalid('product_id', 'You don’t have access to any products.')
  return product
}
