import type { Fields } from '#shared/field.ts'
import {
  DemoVideo,
  organizationMessages,
  organizations,
  type Organization,
} from '#features/crm/organizations/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { useUndo } from '#web/record/useUndo.ts'

const videoFields = {
  video_label: { label: 'Label', empty: '' },
  video_link: { label: 'Link', empty: '' },
} as const satisfies Fields

/** Form for an organization's demo video. */
export default function VideoForm({
  organization,
  onClose,
}: {
  organization: Organization
  onClose: () => void
}) {
  const id = organization.organization_id
  const { announceAct } = useUndo()
  const { send: store } = useSend(organizations.storeVideo, { failure: 'throw' })
  const { send: update } = useSend(organizations.updateVideo, { failure: 'throw' })
  const form = useFieldsForm({
    name: `video-${id}`,
    fields: videoFields,
    initial: { video_label: organization.video_label, video_link: organization.video_link },
    schema: DemoVideo,
    onSave: async (video) => {
      const reply = organization.video_link
        ? await update({ body: { id, ...video } })
        : await store({ body: { org_id: id, ...video } })
      if (reply) announceAct(organizationMessages.videoStored, reply.operation)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Demo video for ${organization.name}`} form={form} onClose={onClose}>
      <Field form={form} name="video_label" autoFocus />
      <Field form={form} name="video_link" placeholder="https://" />
    </FormModal>
  )
}
