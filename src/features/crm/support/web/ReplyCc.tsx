import { Suspense } from 'react'
import type { Ticket } from '#features/crm/support/contract.ts'
import type { ReplyValues } from '#features/crm/support/reply.fields.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

/** Needed only when someone is copied. */
const CcField = lazyPart(() => import('#features/crm/support/web/CcField.tsx'))

interface Props {
  ticket: Ticket
  fields: DraftForm<ReplyValues>['fields']
  /** Whether the user has opened the field for other addresses. */
  isOpened: boolean
}

/**
 * The people who receive a copy of the reply: those whom the conversation has in Cc, unless the author removes them.
 * Others who took part in the emails of the ticket are offered.
 */
export function ReplyCc({ ticket, fields, isOpened }: Props) {
  const cc = fields.getValues().cc ?? ticket.reply_cc
  const { error } = fields.getInputProps('cc')
  const offered = othersIn(ticket).filter((address) => !cc.includes(address))
  const hasField = isOpened || cc.length > 0
  if ((offered.length === 0 && !hasField) || ticket.requester_email === null) return null
  const set = (addresses: string[]) => fields.setFieldValue('cc', addresses)
  return (
    <Soft as="div">
      {hasField && (
        <Suspense>
          <CcField cc={cc} offered={offered} onChange={set} isOpened={isOpened} />
        </Suspense>
      )}
      {offered.map((address) => (
        <span key={address}>
          <LinkButton onClick={() => set([...cc, address])}>{`Cc ${address}`}</LinkButton>{' '}
        </span>
      ))}
      {error && <span role="alert">{error}</span>}
    </Soft>
  )
}

/** Returns everyone else who wrote or received an email of the ticket, those of the last one first. */
const othersIn = ({ messages, requester_email }: Ticket): string[] => [
  ...new Set(
    messages
      .toReversed()
      .flatMap(({ author_email, others }) => [author_email ?? '', ...others])
      .filter((address) => address !== '' && address !== requester_email?.toLowerCase()),
  ),
]
