import type { Viewer } from '#shared/endpoint.ts'
import { mailingList } from '#features/crm/users/mailing-list.contract.ts'
import {
  changeList,
  countOfOtherProducts,
  findOnList,
  findMailingList,
} from '#features/crm/users/server/users.queries.ts'
import {
  leftOutShown,
  queueEmail,
  chooseFrom,
  noRecipientsError,
  writeUserMail,
} from '#features/crm/users/server/emails.routes.ts'
import { findMailRules } from '#server/mail/rules.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const chooseOnList = async (db: Db, viewer: Viewer, product_id: number) =>
  chooseFrom(db, await findOnList(db, { staff_id: viewer.id, product_id }))

const showMailingList: Handler<typeof mailingList.senders> = async ({ query }, { db, viewer }) => {
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

const changeMailingList: Handler<typeof mailingList.saveSender> = async (
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
  (app: App): Handler<typeof mailingList.sendBulkEmail> =>
  async ({ body: { product_id: named, ...mail } }, context) => {
    const { db, viewer, audit } = context
    const product_id = chosenProduct(named, viewer)
    const chosen = await chooseOnList(db, viewer, product_id)
    if (!chosen.to.length) throw noRecipientsError('subject', chosen)
    const sent = await queueEmail(app, context, mail, chosen, {
      kind: 'users-bulk',
      product_id,
      sendAfterSeconds: (await findMailRules(db)).undo_mailing_seconds,
    })
    audit({ target: 'mail', id: sent.mail_id, after: { mail: mail.subject, mail_to: chosen.to.length } })
    return sent
  }

const testBulkEmail =
  (app: App): Handler<typeof mailingList.testBulkEmail> =>
  async ({ body }, { db, viewer, audit, changed }) => {
    const id = await app.mail.sendTest(db, viewer, {
      kind: 'users-bulk',
      to: [{ address: 'preview@example.com', name: '' }],
      ...(await writeUserMail(app, db, viewer, body)),
    })
    audit({ target: 'mail', id, after: { mail: body.subject } })
    changed('mails', [id])
    return { message: 'Sending a test email to you.' }
  }

export function mailingListRoutes(app: App): void {
  implement(app, mailingList.senders, showMailingList)
  implement(app, mailingList.saveSender, changeMailingList)
  implement(app, mailingList.sendBulkEmail, sendBulkEmail(app))
  implement(app, mailingList.testBulkEmail, testBulkEmail(app))
}

function chosenProduct(named: number | undefined, { products }: Viewer): number {
  const product = named ?? products[0]
  if (product === undefined) throw invalid('product_id', 'You don’t have access to any products.')
  return product
}
