import { useState } from 'react'
import type { z } from 'zod'
import { IncidentAnswer, type SentAnswers } from '#features/crm/support/incidents.contract.ts'
import { leftOutText } from '#features/crm/support/web/answers/answerWords.ts'
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
  /** The text of the toast. */
  words: string
  values: AnswerValues
}

interface Options {
  /** Name of the draft. */
  draft: string
  /** The tickets to answer. */
  ids: readonly number[]
  /** Whether emails are sent; without an SMTP server, they wait. */
  isEmailOn: boolean
  send: (
    body: Omit<z.input<typeof IncidentAnswer>, 'file_ids'> & { file_ids: number[] },
  ) => Promise<z.output<typeof SentAnswers> | undefined>
}

export type Answer = ReturnType<typeof useAnswer>

/**
 * Returns the form of one answer to several tickets, what was sent last with a function that restores its text, and a
 * function that also sets a status on all.
 */
export function useAnswer({ draft, ids, isEmailOn, send }: Options) {
  const [sent, setSent] = useState<SentAnswer>()
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
    name: draft,
    initial: empty,
    schema: IncidentAnswer,
    saveVerb: 'Send',
    toSend,
    onSave: async (values) => {
      const reply = await send(toSend(values))
      if (!reply) return
      const { message, data, left_out } = reply
      const said = isEmailOn ? message : 'Replies saved. They will be sent once email is set up.'
      const words = said + leftOutText(left_out)
      toast.notice(words)
      setSent({
        mail_ids: data.sent.map(({ mail_id }) => mail_id),
        seconds: data.undo_seconds,
        words,
        values,
      })
      form.discardSent(values)
    },
  })
  const sendWith = (status: number) => {
    form.fields.setFieldValue('status', String(status))
    void form.submit()
  }
  const restore = ({ values }: SentAnswer) => {
    setSent(undefined)
    form.change((typed) => ({
      message: values.message + typed.message,
      file_ids: [...new Set([...values.file_ids, ...typed.file_ids])],
      status: typed.status === '' ? values.status : typed.status,
      texts: [
        ...typed.texts,
        ...values.texts.filter(({ ticket_id }) => !typed.texts.some((one) => one.ticket_id === ticket_id)),
      ],
    }))
  }
  const unwritten = ownTexts(form.fields.getValues()).find(({ message }) => isBlankText(message))
  return {
    form,
    sent,
    restore,
    sendWith,
    isEmailOn,
    /** The ticket that gets its own text, which is still empty. */
    unwritten: unwritten?.ticket_id,
  }
}
