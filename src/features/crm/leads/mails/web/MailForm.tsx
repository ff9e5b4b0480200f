import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Lead } from '#features/crm/leads/contract.ts'
import { DemoMail, leadMails, ProspectionMail, type MailPreview } from '#features/crm/leads/mails/contract.ts'
import classes from '#features/crm/leads/mails/web/Mail.module.css'
import { RowAction } from '#web/list/cells.tsx'
import { FieldPair } from '#web/form/FieldPair.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { leadQueries } from '#features/crm/leads/record/web/patchLeadCaches.ts'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { LongTextField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { MailFrame } from '#web/parts/MailFrame.tsx'
import { toast } from '#web/message/toast.ts'

const kinds = {
  scheduleDemo: {
    title: 'Demo email',
    send: leadMails.scheduleDemo,
    preview: leadMails.previewScheduleDemo,
    schema: DemoMail,
  },
  prospection: {
    title: 'Prospecting email',
    send: leadMails.prospection,
    preview: leadMails.previewProspection,
    schema: ProspectionMail,
  },
} as const

interface Values {
  [field: string]: string | string[]
  lead_name: string
  lead_email: string
  subject: string
  message: string
  question_ids: string[]
}

interface Props {
  kind: keyof typeof kinds
  lead: Pick<Lead, 'lead_id' | 'companyName' | 'contactName' | 'email'>
  onClose: () => void
}

/** Form for an email to a lead. It starts with the template and has a preview beside it. */
export default function MailForm({ kind, lead, onClose }: Props) {
  const { title, send: endpoint, schema } = kinds[kind]
  const { send } = useSend(endpoint, { refresh: [leadMails.ofLead, ...leadQueries], failure: 'throw' })
  const whyNotSave = useWhyNotSave(endpoint)
  const toSend = (values: Values) => ({
    lead_id: lead.lead_id,
    lead_name: values.lead_name,
    lead_email: values.lead_email,
    // Empty fields are filled in from the template.
    ...(values.subject.trim() ? { subject: values.subject } : {}),
    ...(values.message.trim() ? { message: values.message } : {}),
    ...(kind === 'prospection' ? { question_ids: values.question_ids.map(Number) } : {}),
  })
  const form = useDraftForm<Values>({
    name: `mail-${kind}-${lead.lead_id}`,
    initial: {
      lead_name: lead.contactName,
      lead_email: lead.email,
      subject: '',
      message: '',
      question_ids: [],
    },
    schema,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  const { fields } = form
  const preview = usePreview(kind, toSend(fields.values))
  return (
    <FormModal
      title={`${title} to ${lead.companyName}`}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      saveLabel="Send"
      size={960}
    >
      <div className={classes.compose}>
        <div className={classes.fields}>
          <FieldPair>
            <TextField form={fields} name="lead_name" label="Name" maxLength={200} />
            <TextField
              form={fields}
              name="lead_email"
              label="Email"
              type="email"
              required
              autoFocus={!lead.email}
            />
          </FieldPair>
          <TextFields fields={fields} template={preview.mail} />
          {kind === 'prospection' && <Questions lead_id={lead.lead_id} fields={fields} />}
        </div>
        <Preview {...preview} />
      </div>
    </FormModal>
  )
}

type Fields = UseFormReturnType<Values>

/** Subject and message; the template's are used if they are empty. */
function TextFields({ fields, template: shown }: { fields: Fields; template: MailPreview | undefined }) {
  return (
    <>
      <TextField
        form={fields}
        name="subject"
        label="Subject"
        placeholder={shown?.subject ?? ''}
        description="Leave empty to use the template."
        maxLength={200}
      />
      <LongTextField
        form={fields}
        name="message"
        label="Message"
        placeholder={shown?.message ?? ''}
        description="Leave empty to use the template."
        rows={10}
        maxLength={10_000}
      />
      {shown && !fields.values.message && (
        <RowAction onClick={() => fields.setValues({ subject: shown.subject, message: shown.message })}>
          Edit this message
        </RowAction>
      )}
    </>
  )
}

function Questions({ lead_id, fields }: { lead_id: number; fields: Fields }) {
  const questions = useQuery({
    ...queryOptionsFor(leadMails.questions, { query: { lead_id } }),
    staleTime: 60_000,
  })
  return questions.data?.data.map(({ id, name, answer }) => (
    <Checkbox
      key={id}
      size="xs"
      label={answer ? `${name} (answered)` : name}
      checked={fields.values.question_ids.includes(String(id))}
      onChange={(event) => {
        const { checked } = event.currentTarget
        const others = fields.values.question_ids.filter((one) => one !== String(id))
        fields.setFieldValue('question_ids', checked ? [...others, String(id)] : others)
      }}
    />
  ))
}

function Preview({ mail: shown, error }: ReturnType<typeof usePreview>) {
  return (
    <section className={classes.preview} aria-label="Preview">
      <p className={classes.head}>
        To {shown?.to ?? '…'}
        <br />
        <strong>{shown?.subject ?? '…'}</strong>
      </p>
      {error && <Soft role="alert">{error}</Soft>}
      {shown && <MailFrame html={shown.html} />}
    </section>
  )
}

const previewDelayMs = 400

/** Returns why there is no preview; field errors are shown next to their fields. */
const whyNoPreview = (error: unknown) =>
  error instanceof ApiError && error.status === 422
    ? 'A preview appears here once all fields are valid.'
    : errorMessageOf(error)

/** Returns the debounced preview of the email. */
function usePreview(kind: Props['kind'], body: object): { mail?: MailPreview; error?: string } {
  const [preview, setPreview] = useState<{ mail?: MailPreview; error?: string }>({})
  const sent = JSON.stringify(body)
  useEffect(() => {
    const leave = new AbortController()
    const timer = setTimeout(() => {
      request(kinds[kind].preview, { body: JSON.parse(sent) as never }, { signal: leave.signal }).then(
        ({ data }) => setPreview({ mail: data }),
        (error: unknown) => {
          if (!leave.signal.aborted) setPreview((last) => ({ ...last, error: whyNoPreview(error) }))
        },
      )
    }, previewDelayMs)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [kind, sent])
  return preview
}
