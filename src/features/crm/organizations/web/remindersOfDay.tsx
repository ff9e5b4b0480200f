import IconHourglass from '@tabler/icons-react/dist/esm/icons/IconHourglass.mjs'
import { organizationReminders } from '#features/crm/organizations/reminders.contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { DayDone } from '#web/dashboard/DayActions.tsx'
import { daySource } from '#web/dashboard/daySource.ts'
import { toast } from '#web/message/toast.ts'
import { recordAddress } from '#web/record/recordAddress.ts'

/** Trials of the viewer's organizations that end soon, and their onboardings whose next step is due. */
export const remindersOfDay = daySource({
  name: 'Trials and onboardings',
  icon: IconHourglass,
  endpoint: organizationReminders.reminders,
  input: () => [],
  read: ({ data }, { viewer }) => ({
    total: data.length,
    items: data.map(({ id, name, organization_id, onboarding_id, due_on }) => ({
      key: `reminder ${id}`,
      title: name,
      detail: onboarding_id === null ? 'Trial ends' : 'Onboarding',
      when: { day: due_on },
      to:
        onboarding_id === null
          ? recordAddress('organization', organization_id, viewer, name)
          : recordAddress('onboarding', onboarding_id, viewer, name),
      actions: <Done id={id} name={name} />,
    })),
  }),
})

function Done({ id, name }: { id: number; name: string }) {
  const { send, sending } = useSend(organizationReminders.remindersDone)
  async function mark(done: boolean): Promise<void> {
    const reply = await send({ params: { id }, body: { done } })
    if (reply && done)
      toast.success(`Reminder for ${name} marked as done.`, {
        undo: { label: 'Undo', onUndo: () => void mark(false) },
      })
  }
  return <DayDone name={name} disabled={sending} onDone={() => void mark(true)} />
}
