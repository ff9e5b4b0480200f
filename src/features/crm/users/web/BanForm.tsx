import { addDays } from '#shared/dates.ts'
import type { Fields } from '#shared/field.ts'
import { Ban, users, type UserRow } from '#features/crm/users/contract.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { toast } from '#web/message/toast.ts'
import { today } from '#web/time.ts'

const banFields = {
  reason: { ...userFields.ban_reason, empty: '' },
  until: { ...userFields.banned_until, empty: '' },
} as const satisfies Fields

/** Form for banning a user, with a reason and an optional end date. */
export default function BanForm({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { send } = useSend(users.ban, {
    failure: 'throw',
  })
  const form = useFieldsForm({
    name: `ban-${user.id}`,
    fields: banFields,
    schema: Ban,
    onSave: async ({ reason, until }) => {
      const reply = await send({ params: { id: user.id }, body: { reason, ...(until ? { until } : {}) } })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Ban ${user.name}`} form={form} onClose={onClose} saveLabel="Ban">
      <Field form={form} name="reason" singleLine autoFocus />
      <Field
        form={form}
        name="until"
        min={addDays(today(), 1)}
        description="Leave empty to ban indefinitely. Banned users don’t receive email."
      />
    </FormModal>
  )
}
