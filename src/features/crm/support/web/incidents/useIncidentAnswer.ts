import { useState } from 'react'
import { IncidentAnswer, incidents } from '#features/crm/support/incidents.contract.ts'
import { incidentAnswerDraft, leftOutText } from '#features/crm/support/web/incidents/incidentParts.ts'
import { useIsEmailOn } from '#features/crm/support/web/useTicket.ts'
import { useSend } from '#web/api/useSend.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'

const empty = {
  message: '',
  file_ids: [] as number[],
  saved_reply_ids: [] as number[],
  status: '',
  /** Texts of single tickets. */
  texts: [] as { ticket_id: number; message: string }[],
}
export type AnswerValues = typeof empty

/** Returns whether a text of the editor has neither words nor images. */
export const isBlankText = (message: string): boolean =>
  message.replaceAll(/<\/?p>|<br\s*\/?>|\s|&nbsp;/g, '') === ''

export interface SentAnswer {
  mail_ids: number[]
  seconds: number
  values: AnswerValues
}

/** Returns the form of an answer to all, what was sent last, and a function that also sets a status on all. */
export function useIncidentAnswer(ticket: number, ids: readonly number[]) {
  const isEmailOn = useIsEmailOn(ticket)
  const [sent, setSent] = useState<SentAnswer>()
  const { send } = useSend(incidents.answer, { failure: 'throw' })
  const ownTexts = ({ texts }: AnswerValues) => texts.filter(({ ticket_id }) => ids.includes(ticket_id))
  const toSend = (values: AnswerValues) => ({
    message: values.message,
    file_ids: values.file_ids,
    ...(values.saved_reply_ids.length > 0 ? { saved_reply_ids: values.saved_reply_ids } : {}),
    ticket_ids: [...ids],
    // Texts of tickets that get no answer stay in the form.
    ...(ownTexts(values).length > 0 ? { texts: ownTexts(values) } : {}),
    ...(values.status === '' ? {} : { status: Number(values.status) }),
  })
  const form: DraftForm<AnswerValues> = useDraftForm({
    name: incidentAnswerDraft(ticket),
    initial: empty,
    schema: IncidentAnswer,
    saveVerb: 'Send',
    toSend,
    onSave: async (values) => {
      const reply = await send({ params: { ticket }, body: toSend(values) })
      if (!reply) return
      const words = isEmailOn ? reply.message : 'Replies saved. They will be sent once email is set up.'
      toast.notice(words + leftOutText(reply.left_out))
      setSent({
        mail_ids: reply.data.sent.map(({ mail_id }) => mail_id),
        seconds: reply.data.undo_seconds,
        values,
      })
      form.discardSent(values)
    },
  })
  const sendWith = (status: number) => {
    form.fields.setFieldValue('status', String(status))
    void form.submit()
  }
  const unwritten = ownTexts(form.fields.getValues()).find(({ message }) => isBlankText(message))
  return {
    form,
    sent,
    sendWith,
    isEmailOn,
    /** The ticket that gets its own text, which is still empty. */
    unwritten: unwritten?.ticket_id,
  }
}
