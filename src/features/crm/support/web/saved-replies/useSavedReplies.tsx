import { Suspense, useRef } from 'react'
import IconMessageShare from '@tabler/icons-react/dist/esm/icons/IconMessageShare.mjs'
import type { Ticket } from '#features/crm/support/contract.ts'
import type { FilledReply } from '#features/crm/support/saved-replies.contract.ts'
import type { ReplyValues } from '#features/crm/support/web/Reply.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { IconButton } from '#web/parts/controls.tsx'
import type { SlashMenu } from '#web/richtext/SlashEditor.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const SavedReplyMenu = lazyPart(() => import('#features/crm/support/web/saved-replies/SavedReplyMenu.tsx'))

/** Returns the menu of saved replies for the text of a reply, and the button that opens it. */
export function useSavedReplies(ticket: Ticket, fields: DraftForm<ReplyValues>['fields']) {
  const insert = useRef<(text: string) => void>(undefined)
  const onInserted = ({ id, files, status }: FilledReply) => {
    const values = fields.getValues()
    fields.setFieldValue('saved_reply_ids', [...new Set([...values.saved_reply_ids, id])])
    fields.setFieldValue('file_ids', [...new Set([...values.file_ids, ...files.map((file) => file.id)])])
    if (status !== null && status !== ticket.status) fields.setFieldValue('status', String(status))
  }
  return {
    insert,
    menu: (menu: SlashMenu) => (
      <Suspense>
        <SavedReplyMenu {...menu} ticket={ticket} onInserted={onInserted} />
      </Suspense>
    ),
    button: (
      <IconButton bare label="Insert a saved reply" onClick={() => insert.current?.('/')}>
        <IconMessageShare size={16} stroke={1.5} aria-hidden />
      </IconButton>
    ),
  }
}
