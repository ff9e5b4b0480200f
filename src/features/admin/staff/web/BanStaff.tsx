import type { Fields } from '#shared/field.ts'
import { Ban, staff, type StaffMember } from '#features/admin/staff/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { toast } from '#web/message/toast.ts'

const banFields = { reason: { label: 'Reason', empty: '' } } as const satisfies Fields

/** Dialog for banning an admin user; their sessions end immediately. */
export default function BanStaff({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const { send } = useSend(staff.ban, { failure: 'throw' })
  const form = useFieldsForm({
    name: `staff-ban-${person.id}`,
    fields: banFields,
    schema: Ban,
    onSave: async (body) => {
      const reply = await send({ params: { id: person.id }, body })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Ban ${person.name}`} form={form} onClose={onClose} saveLabel="Ban">
      <Field
        form={form}
        name="reason"
        singleLine
        autoFocus
        description="They’ll be signed out everywhere immediately."
      />
    </FormModal>
  )
}
