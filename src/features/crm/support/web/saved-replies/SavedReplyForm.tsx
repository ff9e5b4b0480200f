import { useRef, type ReactNode } from 'react'
import { Button, Checkbox } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import {
  NewSavedReply,
  SavedReplyChange,
  savedReplies,
  type SavedReply,
} from '#features/crm/support/saved-replies.contract.ts'
import { savedReplyFields } from '#features/crm/support/saved-reply.fields.ts'
import { onlyAdminsShare, replyVariables, sharesReplies } from '#features/crm/support/saved-reply.rules.ts'
import { FilledPreview } from '#features/crm/support/web/saved-replies/FilledPreview.tsx'
import classes from '#features/crm/support/web/saved-replies/savedReplies.module.css'
import { usesText } from '#features/crm/support/web/saved-replies/savedReplyWords.ts'
import { useSend } from '#web/api/useSend.ts'
import { asChoices, useLists } from '#web/filter/useOptions.ts'
import { Field } from '#web/form/Field.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { Moment } from '#web/Moment.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { byId, withWords } from '#web/record/fieldWords.ts'
import { useRemove } from '#web/record/useRemove.ts'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { useViewer } from '#web/session.ts'

const list = '/support/saved-replies'
const parents = [
  ['/support', 'Support tickets'],
  [list, 'Saved replies'],
] as const
/** Refetched after a saved reply has changed. */

export function NewSavedReplyPage() {
  const navigate = useNavigate()
  const { send } = useSend(savedReplies.create, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(savedReplies.create, { body: { name: '', content: '' } })
  const form = useRecordForm({
    name: 'saved-reply-new',
    fields: savedReplyFields,
    schema: NewSavedReply,
    create: (body) => send({ body }),
    onSaved: () => void navigate({ to: list }),
  })
  return (
    <>
      <PageHeader parents={parents} />
      <FormPage
        label="New saved reply"
        isNew
        form={form}
        whyNotSave={whyNotSave}
        saveLabel="Create saved reply"
        onCancel={() => void navigate({ to: list })}
      >
        <SavedReplyInputs form={form} />
      </FormPage>
    </>
  )
}

/** Form of a saved reply in the pane beside the list; read-only for those who may only use it. */
export function EditSavedReply({ reply }: { reply: SavedReply }) {
  const navigate = useNavigate()
  const viewer = useViewer()
  const { ticket_categories, ticket_statuses } = useLists('ticket_categories', 'ticket_statuses')
  const mayChange = viewer !== undefined && (!reply.is_shared || sharesReplies(viewer))
  const { send } = useSend(savedReplies.update, { failure: 'throw' })
  const form = useRecordForm({
    name: `saved-reply-${reply.id}`,
    fields: savedReplyFields,
    schema: SavedReplyChange,
    record: reply,
    title: reply.name,
    words: withWords(savedReplyFields, { category: byId(ticket_categories), status: byId(ticket_statuses) }),
    update: (body) => send({ params: { id: reply.id }, body }),
  })
  const { mayRemove, remove } = useRemove('saved_reply', {
    onDone: () => void navigate({ to: list }),
  })
  const denied = useWhyNotSave(savedReplies.update, { params: { id: reply.id }, body: {} })
  return (
    <>
      <PaneHead title={reply.name} about={<Use reply={reply} />}>
        {mayRemove && mayChange && (
          <Button size="xs" variant="default" onClick={() => remove([reply.id])}>
            Move to trash
          </Button>
        )}
      </PaneHead>
      <div className={classes.pane}>
        <FormPage
          label={`Edit ${reply.name}`}
          form={form}
          whyNotSave={denied ?? (mayChange ? undefined : onlyAdminsShare)}
        >
          <SavedReplyInputs form={form} />
        </FormPage>
      </div>
    </>
  )
}

/** How often a saved reply was used, and who used it last. */
const Use = ({
  reply: { uses, last_used_at, last_used_by_name, created_by_name },
}: {
  reply: SavedReply
}): ReactNode => (
  <>
    {usesText(uses)}
    {last_used_at && (
      <>
        , last <Moment at={last_used_at} /> by {last_used_by_name ?? 'an admin user'}
      </>
    )}
    {created_by_name && ` · Created by ${created_by_name}`}
  </>
)

function SavedReplyInputs({ form }: { form: FieldsForm<typeof savedReplyFields> }) {
  const viewer = useViewer()
  const { ticket_categories, ticket_statuses } = useLists('ticket_categories', 'ticket_statuses')
  const insert = useRef<(text: string) => void>(undefined)
  const mayShare = viewer !== undefined && sharesReplies(viewer)
  return (
    <>
      <Field form={form} name="name" half />
      <Field form={form} name="shortcut" half placeholder="count, for /count" />
      <RichTextField {...form.control('content')} required sendPicture={null} insertRef={insert} />
      <Variables onInsert={(name) => insert.current?.(`{{${name}}}`)} />
      <Field form={form} name="file_ids" />
      <Field form={form} name="status" half options={asChoices(ticket_statuses, 'No change')} />
      <Field form={form} name="category" half options={asChoices(ticket_categories, 'Any category')} />
      <Checkbox
        label={savedReplyFields.is_shared.label}
        description={mayShare ? undefined : onlyAdminsShare}
        disabled={!mayShare}
        {...form.fields.getInputProps('is_shared', { type: 'checkbox' })}
      />
      <FilledPreview content={form.fields.values.content} />
    </>
  )
}

const Variables = ({ onInsert }: { onInsert: (name: string) => void }) => (
  <section aria-label="Variables" className={classes.variables}>
    {Object.entries(replyVariables).map(([name, label]) => (
      <button key={name} type="button" title={label} onClick={() => onInsert(name)}>
        {`{{${name}}}`}
      </button>
    ))}
  </section>
)
