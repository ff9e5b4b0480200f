import { Ban, staff, type StaffMember } from '#features/admin/staff/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'

/** Dialog for banning an admin user; their sessions end immediately. */
export default function BanStaff({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const { send } = useSend(staff.ban, { refresh: [staff.list], failure: 'throw' })
  const form = useDraftForm({
    name: `staff-ban-${person.id}`,
    initial: { reason: '' },
    schema: Ban,
    onSave: async (body) => {
      const reply = await send({ params: { id: person.id }, body })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Ban ${person.name}`} form={form} onClose={onClose} saveLabel="Ban">
      <TextField
        form={form.fields}
        name="reason"
        label="Reason"
        required
        autoFocus
        maxLength={500}
        description="They’ll be signed out everywhere immediately."
      />
    </FormModal>
  )
}
