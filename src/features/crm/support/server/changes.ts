import { sql } from 'kysely'
import { tickets } from '#features/crm/support/contract.ts'
import { openStatus } from '#features/crm/support/rules.ts'
import { getTicketRow, ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Db } from '#server/db/db.ts'
import { imagesIn } from '#server/html-clean.ts'
import type { App, WriteContext } from '#server/http/implement.ts'
import type { ReceivedFile } from '#server/inspect-file.ts'
import { attachFiles, setInlineImages } from '#server/record-files.ts'
import { changeRecord } from '#server/record/record.ts'
import type { Row } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

export type Writing = WriteContext<typeof tickets.changeStatus>

/** Notifies the ticket's owner separately, because their request page receives no ticket events. */
export const notifyOwner = (
  app: App,
  { viewer, afterCommit }: Pick<Writing, 'viewer' | 'afterCommit'>,
  { staff_id }: Row,
) => {
  if (typeof staff_id === 'number' && staff_id !== viewer.id)
    afterCommit(() => app.live.publish(`private-staff.${staff_id}`, 'requests', {}))
}

/** Changes a ticket and returns the answer to the request. */
export const changeTicket = async (
  app: App,
  context: Writing,
  id: number,
  values: Row,
  message: string,
  summary: string,
  stated = {},
) => {
  const current = () => getTicketRow(context.db, id, context.viewer)
  const { operation, after } = await changeRecord(context, ticketKind, id, values, {
    stated,
    current,
    summary,
  })
  notifyOwner(app, context, after)
  return { message, data: await current(), operation }
}

/**
 * Updates a ticket after a message from the requester: marks it as unread, clears the flag for requested
 * feedback, and reopens it if `opensAgain` is set.
 */
export async function recordCustomerMessage(
  db: Db,
  ticket_id: number,
  message_id: number,
  opensAgain: boolean,
): Promise<void> {
  const received = { ...unread(message_id), last_message_at: sql`now()`, customer_feedback: false }
  const values = opensAgain ? { ...received, status: openStatus } : received
  await touchRecords({ db }, ticketKind, ticket_id, values, { keepsVersion: !opensAgain })
}

/** The first message that no admin user has read. */
export const unread = (message_id: number | null) => ({ unread_message_id: message_id })

interface NewMessage {
  ticket_id: number
  sent_by_admin: boolean
  staff_id?: number | null
  customer_user_id?: number | null
  /** Cleaned HTML. */
  message: string
}

/** Adds a message with its images and the received or staged files, and returns their IDs. */
export async function addMessage(
  app: App,
  context: Parameters<typeof attachFiles>[1] & { files: { attachment?: ReceivedFile[] } },
  values: NewMessage,
  file_ids: readonly number[] | undefined,
): Promise<{ message_id: number; file_ids: number[] }> {
  const { id } = await context.db
    .insertInto('ticket_messages')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow()
  const owner = { type: 'ticket_message', id }
  await setInlineImages(app.files, context, owner, imagesIn(values.message))
  const files = { files: context.files.attachment ?? [], file_ids }
  return { message_id: id, file_ids: await attachFiles(app.files, context, files, owner) }
}
