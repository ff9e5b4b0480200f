import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@mantine/core'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs'
import { NewNote, recordNotes } from '#shared/notes.contract.ts'
import { recordMails } from '#shared/record-mail.contract.ts'
import { isMailedType, type RecordType } from '#shared/records.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Composer, type ComposerTab } from '#web/composer/Composer.tsx'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'
import { MentionText } from '#web/composer/MentionText.tsx'
import { useAttachments } from '#web/composer/useAttachments.tsx'
import { useMentionable } from '#web/composer/useMentionable.ts'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import type { EmailOptions } from '#web/mail/emailOptions.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const EmailForm = lazyPart(() => import('#web/mail/EmailForm.tsx'), 'EmailForm')

interface About {
  type: RecordType
  id: number
  /** Offered below a note that was added, until the next one is typed. */
  afterNote?: ReactNode
  /** Label of the button that adds a note. */
  addLabel?: string | undefined
  /** Called when a note was added. */
  onAdded?: (() => void) | undefined
  /** Continues a note that isn't saved yet as something else; the field is then empty. */
  fromNote?: { label: string; run: (note: string) => void } | undefined
}

interface Props extends About {
  inDialog?: boolean | undefined
  /** Options of emails to the record's people; without them, none can be written. */
  email?: EmailOptions | undefined
  /** Further tabs. */
  tabs?: readonly ComposerTab[] | undefined
}

/** Composer of a record's page: notes, emails to the record's people, and what else its area writes. */
export function RecordComposer({ inDialog, email, tabs: others = [], ...note }: Props) {
  const { type, id } = note
  const [chosen, setChosen] = useState('')
  const mayNote = useMay(recordNotes.add, { params: { a: type, b: id }, body: { note: '' } })
  const mailed = email && isMailedType(type) ? { type, id } : undefined
  const mayMail = useMay(recordMails.send, {
    params: mailed ?? { type: 'lead', id },
    body: { to: [], subject: '', content: '' },
  })
  const tabs: ComposerTab[] = []
  if (mayNote)
    tabs.push({
      id: 'note',
      label: 'Note',
      icon: <IconNote size={14} stroke={1.5} aria-hidden />,
      ...(!inDialog && { letter: 'n' }),
      draft: `${type}-note-${id}`,
      content: <NoteForm {...note} />,
    })
  if (mailed && mayMail)
    tabs.push({
      id: 'email',
      label: 'Email',
      icon: <IconMail size={14} stroke={1.5} aria-hidden />,
      letter: 'e',
      draft: `${type}-email-${id}`,
      content: <EmailForm {...mailed} {...email} />,
    })
  tabs.push(...others)
  return tabs.length > 0 && <Composer chosen={chosen} onChoose={setChosen} tabs={tabs} />
}

function NoteForm({ type, id, afterNote, addLabel = 'Add note', onAdded, fromNote }: About) {
  const { announceAct } = useUndo()
  const { send } = useSend(recordNotes.add, { failure: 'throw' })
  const [isUsed, setUsed] = useState(false)
  const [isAdded, setAdded] = useState(false)
  const { people, mentionedIds } = useMentionable({
    ...queryOptionsFor(recordNotes.readers, { params: { a: type, b: id } }),
    enabled: isUsed,
  })
  const form = useDraftForm({
    name: `${type}-note-${id}`,
    initial: { note: '', file_ids: [] as number[] },
    schema: NewNote,
    onSave: async (values) => {
      const { note, file_ids } = values
      const tag_user = await mentionedIds(note)
      const reply = await send({
        params: { a: type, b: id },
        body: { note, file_ids, ...(tag_user.length > 0 && { tag_user }) },
      })
      if (reply) announceAct(reply.message, reply.operation)
      setAdded(true)
      onAdded?.()
      form.discardSent(values)
    },
  })
  const { fields } = form
  const files = useAttachments(form.inner.tell, fields.getValues().file_ids, (ids) =>
    fields.setFieldValue('file_ids', ids),
  )
  function continueElsewhere(): void {
    const { note } = form.fields.getValues()
    // Rendered before the page is left, which would ask about a note that isn't saved.
    flushSync(form.discard)
    fromNote?.run(note)
  }
  return (
    <ComposerForm
      label="New note"
      form={form}
      files={files}
      writing={{ type, id, what: 'note' }}
      options={isAdded && !form.isDirty && afterNote}
      // The people load once the form is used.
      onUsed={() => setUsed(true)}
      acts={
        <>
          {files.button}
          {/* The new record gets the text of the note, but not its files. */}
          {form.isDirty && fromNote && fields.getValues().file_ids.length === 0 && (
            <Button size="xs" variant="default" onClick={continueElsewhere}>
              {fromNote.label}
            </Button>
          )}
          <SubmitButton form={form}>{addLabel}</SubmitButton>
        </>
      }
    >
      <MentionText
        label="Write a note"
        placeholder="Write a note that only admin users can read. Type @ to mention someone."
        maxLength={10_000}
        people={people}
        {...fields.getInputProps('note')}
      />
    </ComposerForm>
  )
}
