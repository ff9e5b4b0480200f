import { useState } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Fields } from '#shared/field.ts'
import { panelSettings } from '#features/admin/settings/contract.ts'
import { linkFailed, type Onboarding } from '#features/crm/onboarding/contract.ts'
import { meetingLinks, MeetingLink } from '#features/crm/onboarding/links.contract.ts'
import { stepOfLink } from '#features/crm/onboarding/rules.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldValues } from '#web/form/fieldValues.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm, type FieldsForm } from '#web/form/useFieldsForm.ts'
import { toast } from '#web/message/toast.ts'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  onboarding: Onboarding
  onClose: () => void
}

const linkFields = {
  send_meeting_link: { label: 'Meeting link', empty: '' },
  contact_emails: { label: 'Recipients', empty: '' },
  send_attachment_link: { label: 'Attachment link', empty: '' },
} as const satisfies Fields
type Values = FieldValues<typeof linkFields>

/** Form for emailing the meeting link, with a preview and the number of recipients. */
export default function LinkForm({ onboarding, onClose }: Props) {
  const { send } = useSend(meetingLinks.sendMeetingLink, { failure: 'throw' })
  const { step, addresses } = linkOf(onboarding)
  const toSend = (values: Values) => ({
    lead_id: onboarding.lead_id,
    lead_onboarding_id: onboarding.id,
    ...values,
    contact_emails: values.contact_emails.split(/[,;\s]+/).filter(Boolean),
    ...(step ? { lead_onboaring_stage_id: step.id } : {}),
  })
  const form = useFieldsForm({
    name: `onboarding-link-${onboarding.id}`,
    fields: linkFields,
    schema: MeetingLink,
    initial: {
      send_meeting_link: step?.send_meeting_link ?? '',
      contact_emails: addresses.filter(Boolean).join(', '),
    },
    adapt: (_, values) => toSend(values),
    onSave: async (_, values) => {
      try {
        const reply = await send({ body: toSend(values) })
        if (reply) toast.success(reply.message)
      } catch (error) {
        toast.failure(linkFailed)
        throw error
      }
    },
    onSaved: onClose,
  })
  const count = new Set(toSend(form.fields.values).contact_emails.map((one) => one.toLowerCase())).size

  return (
    <FormModal
      title={`Meeting link for ${onboarding.organization}`}
      form={form}
      onClose={onClose}
      side="right"
      saveLabel={count === 1 ? 'Send to 1 recipient' : `Send to ${count} recipients`}
      whyNotSave={count === 0 ? 'This email has no recipients.' : undefined}
    >
      <Field form={form} name="send_meeting_link" autoFocus placeholder="https://" />
      <SchedulingPage onboarding={onboarding} form={form} />
      <Field
        form={form}
        name="contact_emails"
        description="You can’t undo an email after it has been sent."
        rows={2}
        maxLength={4000}
      />
      <Field form={form} name="send_attachment_link" placeholder="https://" />
      <LinkPreview
        load={() => request(meetingLinks.previewMeetingLink, { body: toSend(form.fields.values) })}
      />
    </FormModal>
  )
}

/** Returns the step whose link is sent, and the addresses that it goes to. */
function linkOf(onboarding: Onboarding) {
  const step = stepOfLink(onboarding.steps, onboarding.stage)
  const addresses = step?.contact_emails.length
    ? step.contact_emails
    : onboarding.addresses.length
      ? onboarding.addresses.slice(0, 1)
      : [onboarding.contact_email]
  return { step, addresses }
}

/** Button that fills in the link of the product's scheduling page. */
function SchedulingPage({
  onboarding,
  form: { fields },
}: {
  onboarding: Onboarding
  form: FieldsForm<typeof linkFields>
}) {
  const offered = useQuery(queryOptionsFor(panelSettings.offered)).data?.data.widgets.find(
    ({ product_id }) => product_id === onboarding.lead_for,
  )
  if (!offered || fields.values.send_meeting_link === offered.url) return null
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => fields.setFieldValue('send_meeting_link', offered.url)}
    >
      Use the scheduling page for {offered.name}
    </Button>
  )
}

interface Preview {
  to: string[]
  subject: string
  text: string
}

function LinkPreview({ load }: { load: () => Promise<{ data: Preview }> }) {
  const [preview, setPreview] = useState<Preview | string>()

  async function look(): Promise<void> {
    try {
      setPreview((await load()).data)
    } catch (error) {
      setPreview(errorMessageOf(error))
    }
  }

  return (
    <>
      <Button size="xs" variant="default" onClick={() => void look()}>
        Preview
      </Button>
      {typeof preview === 'string' && <p role="alert">{preview}</p>}
      {typeof preview === 'object' && (
        <section aria-label="Preview">
          <Soft small>
            To {preview.to.join(', ')} · {preview.subject}
          </Soft>
          <pre className={classes.frame}>{preview.text}</pre>
        </section>
      )}
    </>
  )
}
