import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { absences, awayText, SetAway, type Away } from '#shared/away.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import classes from '#web/away/away.module.css'
import { FormModal } from '#web/form/FormModal.tsx'
import { DayField } from '#web/form/inputs.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { browserTimeZone, today } from '#web/time.ts'

interface Props {
  /** An admin user. */
  id: number
  /** Undefined for the viewer. */
  name?: string
  onClose: () => void
}

const toSend = ({ until }: { until: string }) => ({ until: until === '' ? null : until })

/** Dialog that marks an admin user as away, or as back. */
export default function AwayForm({ id, name, onClose }: Props) {
  const params = { id }
  const away = useQuery({ ...queryOptionsFor(absences.show, { params }), staleTime: 0 }).data?.data
  const { send } = useSend(absences.set, { failure: 'throw' })
  const form = useDraftForm({
    name: `away-${id}`,
    initial: { until: '' },
    schema: SetAway,
    toSend,
    onSave: async (values) => {
      const reply = await send({ params, body: toSend(values) })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={name === undefined ? 'Away' : `Away: ${name}`}
      form={form}
      onClose={onClose}
      saveLabel={away ? 'Change' : 'Set as away'}
    >
      {away && <Present id={id} away={away} isOneself={name === undefined} onDone={onClose} />}
      <DayField
        form={form.fields}
        name="until"
        label="Last day"
        min={today()}
        ahead
        description={`Leave it empty if no end is known. Time zone: ${browserTimeZone()}`}
      />
      <p className={classes.note}>
        Assignment rules skip people who are away. Tickets that they have stay with them, and colleagues can
        still assign tickets to them.
      </p>
    </FormModal>
  )
}

interface PresentProps {
  id: number
  away: Away
  isOneself: boolean
  onDone: () => void
}

/** The present absence, with the button that ends it. */
function Present({ id, away, isOneself, onDone }: PresentProps) {
  const { send, sending } = useSend(absences.end, {
    onDone: ({ message }) => {
      toast.success(message)
      onDone()
    },
  })
  return (
    <p className={classes.present}>
      {awayText(away)}
      <Button
        size="compact-sm"
        variant="default"
        loading={sending}
        onClick={() => void send({ params: { id } })}
      >
        {isOneself ? 'I’m back' : 'Mark as back'}
      </Button>
    </p>
  )
}
