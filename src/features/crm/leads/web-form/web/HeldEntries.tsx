import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { webForms, type HeldEntry } from '#features/crm/leads/web-form/contract.ts'
import { daysHeld, formFieldNames, formFields, heldReasons } from '#features/crm/leads/web-form/rules.ts'
import classes from '#features/crm/leads/web-form/web/webForm.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { Moment } from '#web/Moment.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** Entries that are held as spam, to be accepted as leads or deleted. */
export function HeldEntries({ product_id }: { product_id: number }) {
  const query = useQuery(queryOptionsFor(webForms.held, { params: { product_id } }))
  return (
    <section className={classes.held} aria-label="Held as spam">
      <h2>Held as spam</h2>
      <Loaded query={query}>
        {({ data, total }) =>
          data.length === 0 ? (
            <Soft>Nothing is held. Entries that look like spam will be here for {daysHeld} days.</Soft>
          ) : (
            <>
              <Soft small>
                {total > data.length ? `The newest ${data.length} of ${total.toLocaleString('en-US')}. ` : ''}
                Entries are deleted after {daysHeld} days.
              </Soft>
              <ul>
                {data.map((entry) => (
                  <Entry key={entry.id} product_id={product_id} entry={entry} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Entry({ product_id, entry }: { product_id: number; entry: HeldEntry }) {
  const { id, reason, values, same_address, created_at } = entry
  const options = {
    onDone: ({ message }: { message: string }) => toast.success(message),
  }
  const accept = useSend(webForms.accept, options)
  const remove = useSend(webForms.remove, options)
  const params = { product_id, id }
  const name = values.contactName || values.email || `Entry ${id}`
  const ask = async () => {
    const detail = 'It can’t be restored.'
    if (await askToProceed(`Delete the entry of ${name}?`, { detail, isRisky: true, proceedLabel: 'Delete' }))
      await remove.send({ params })
  }
  const filled = formFieldNames.flatMap((field) => (values[field] ? [[field, values[field]] as const] : []))
  return (
    <li aria-label={name}>
      <div className={classes.heldHead}>
        <strong>{heldReasons[reason]}</strong>
        <Soft as="span" small>
          <Moment at={created_at} />
          {same_address > 1 && `, ${same_address} from the same IP address`}
        </Soft>
        <Button size="xs" loading={accept.sending} onClick={() => void accept.send({ params })}>
          Create lead
        </Button>
        <Button size="xs" variant="default" loading={remove.sending} onClick={() => void ask()}>
          Delete
        </Button>
      </div>
      <dl>
        {filled.map(([field, value]) => (
          <div key={field}>
            <dt>{formFields[field].label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
