import { addDays } from '#shared/dates.ts'
import { records } from '#shared/record.contract.ts'
import { Ban, users, type UserRow } from '#features/crm/users/contract.ts'
import { userQueries } from '#features/crm/users/web/userChange.ts'
import { useSend } from '#web/api/useSend.ts'
import { DayField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { today } from '#web/time.ts'

/** Form for banning a user, with a reason and an optional end date. */
export default function BanForm({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { send } = useSend(users.ban, {
    refresh: [...userQueries, records.history],
    failure: 'throw',
  })
  const form = useDraftForm({
    name: `ban-${user.id}`,
    initial: { reason: '', until: '' },
    schema: Ban,
    onSave: async ({ reason, until }) => {
      const reply = await send({ params: { id: user.id }, body: { reason, ...(until ? { until } : {}) } })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Ban ${user.name}`} form={form} onClose={onClose} saveLabel="Ban">
      <TextField form={form.fields} name="reason" label="Reason" required autoFocus maxLength={500} />
      <DayField
        form={form.fields}
        name="until"
        label="Banned until"
        min={addDays(today(), 1)}
        description="Leave empty to ban indefinitely. Banned users don’t receive email."
      />
    </FormModal>
  )
}
