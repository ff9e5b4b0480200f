import { Suspense, useRef } from 'react'
import IconMessageShare from '@tabler/icons-react/dist/esm/icons/IconMessageShare.mjs'
import type { FilledReply } from '#features/crm/support/saved-replies.contract.ts'
import type { ReplyTarget } from '#features/crm/support/web/saved-replies/useInsertable.ts'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { IconButton } from '#web/parts/controls.tsx'
import type { SlashMenu } from '#web/richtext/SlashEditor.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const SavedReplyMenu = lazyPart(() => import('#features/crm/support/web/saved-replies/SavedReplyMenu.tsx'))

/** The values of a form that an inserted reply changes, in addition to the text. */
interface Values {
  saved_reply_ids: number[]
  file_ids: number[]
  status: string
}
type Fields = Pick<DraftForm<Values>['fields'], 'getValues' | 'setFieldValue'>

interface Options {
  /** Whether the files and the status of a saved reply are left out, because the text is only a part of the form. */
  onlyText?: boolean
}

/** Returns the menu of saved replies for the text of a reply, and the button that opens it. */
export function useSavedReplies(target: ReplyTarget, fields: Fields, { onlyText = false }: Options = {}) {
  const insert = useRef<(text: string) => void>(undefined)
  const onInserted = ({ id, files, status }: FilledReply) => {
    const values = fields.getValues()
    fields.setFieldValue('saved_reply_ids', [...new Set([...values.saved_reply_ids, id])])
    if (onlyText) return
    fields.setFieldValue('file_ids', [...new Set([...values.file_ids, ...files.map((file) => file.id)])])
    if (status !== null && status !== target.status) fields.setFieldValue('status', String(status))
  }
  return {
    insert,
    menu: (menu: SlashMenu) => (
      <Suspense>
        <SavedReplyMenu {...menu} target={target} onInserted={onInserted} />
      </Suspense>
    ),
    button: (
      <IconButton bare label="Insert a saved reply" onClick={() => insert.current?.('/')}>
        <IconMessageShare size={16} stroke={1.5} aria-hidden />
      </IconButton>
    ),
  }
}
