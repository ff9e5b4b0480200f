import {
  DemoVideo,
  organizationMessages,
  organizations,
  type Organization,
} from '#features/crm/organizations/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useUndo } from '#web/record/useUndo.ts'

const refresh = [organizations.list, organizations.orgUser]

/** Form for an organization's demo video. */
export default function VideoForm({
  organization,
  onClose,
}: {
  organization: Organization
  onClose: () => void
}) {
  const id = organization.organization_id
  const { announceAct } = useUndo(refresh)
  const { send: store } = useSend(organizations.storeVideo, { refresh, failure: 'throw' })
  const { send: update } = useSend(organizations.updateVideo, { refresh, failure: 'throw' })
  const form = useDraftForm({
    name: `video-${id}`,
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
      <TextField form={form.fields} name="video_label" label="Label" required autoFocus maxLength={200} />
      <TextField
        form={form.fields}
        name="video_link"
        label="Link"
        required
        maxLength={2000}
        placeholder="https://"
      />
    </FormModal>
  )
}
