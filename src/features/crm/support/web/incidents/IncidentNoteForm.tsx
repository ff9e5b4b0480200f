import { IncidentNote, incidents } from '#features/crm/support/incidents.contract.ts'
import { leftOutText } from '#features/crm/support/web/answers/answerWords.ts'
import { whyNotSend } from '#features/crm/support/web/answers/useRecipients.ts'
import { incidentNoteDraft } from '#features/crm/support/web/incidents/incidentParts.ts'
import { useSend } from '#web/api/useSend.ts'
import { ComposerForm, SubmitButton } from '#web/composer/ComposerForm.tsx'
import { MentionText } from '#web/composer/MentionText.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { Soft } from '#web/parts/Soft.tsx'

const empty = { support_comment: '' }

interface Props {
  /** The incident. */
  id: number
  /** The chosen tickets. */
  ids: readonly number[]
}

/** Form for a note on each of the chosen tickets of an incident. */
export function IncidentNoteForm({ id, ids }: Props) {
  const { send } = useSend(incidents.note, { failure: 'throw' })
  const toSend = (values: typeof empty) => ({ ...values, ticket_ids: [...ids] })
  const form: DraftForm<typeof empty> = useDraftForm({
    name: incidentNoteDraft(id),
    initial: empty,
    schema: IncidentNote,
    toSend,
    onSave: async (values) => {
      const reply = await send({ params: { ticket: id }, body: toSend(values) })
      if (!reply) return
      toast.notice(reply.message + leftOutText(reply.left_out))
      form.discardSent(values)
    },
  })
  const whyNot = whyNotSend(ids.length)
  return (
    <ComposerForm
      label="Internal note on all"
      form={form}
      writing={{ type: 'ticket', id, what: 'note' }}
      acts={
        <>
          {whyNot !== undefined && <Soft as="span">{whyNot}</Soft>}
          <SubmitButton form={form}>{ids.length === 1 ? 'Add note' : `Add ${ids.length} notes`}</SubmitButton>
        </>
      }
    >
      <MentionText
        label="Note on all"
        placeholder="Write a note that only admin users can read. It is added to each chosen ticket."
        maxLength={10_000}
        people={[]}
        {...form.fields.getInputProps('support_comment')}
      />
    </ComposerForm>
  )
}
