import { useState } from 'react'
import { Button, Modal, Radio } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import { useQuery } from '@tanstack/react-query'
import { bulkReply, type BulkRecipient } from '#features/crm/support/bulk-reply.contract.ts'
import { ticketsText } from '#features/crm/support/web/answers/answerWords.ts'
import classes from '#features/crm/support/web/incidents/incidents.module.css'
import type { useTicketBulk } from '#features/crm/support/web/useTicketBulk.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props extends ReturnType<typeof useTicketBulk> {
  /** The selected tickets: at least two, and up to `mostAnswered`. */
  ids: readonly number[]
  onClose: () => void
}

/** Dialog that makes one of the selected tickets an incident, to which the others are linked. */
export default function MakeIncident({ ids, onClose, ...change }: Props) {
  const dialog = useDialog()
  const query = useQuery(queryOptionsFor(bulkReply.recipients, { query: { ids: [...ids] } }))
  return (
    <Modal {...dialog} opened onClose={onClose} title={`Make an incident of ${ids.length} tickets`} size="lg">
      <Loaded query={query} what="The tickets">
        {({ data }) => <Choose {...change} parts={data} onClose={onClose} />}
      </Loaded>
    </Modal>
  )
}

type ChooseProps = Omit<Props, 'ids'> & { parts: readonly BulkRecipient[] }

function Choose({ parts, change, sending, onClose }: ChooseProps) {
  const linkable = parts.filter(({ why }) => why !== 'merged' && why !== 'in trash')
  const gone = parts.filter((part) => !linkable.includes(part)).map(({ id }) => `#${id}`)
  const [chosen, setChosen] = useState<number>()
  // The first report usually says most.
  const head = linkable.find(({ id }) => id === chosen)?.id ?? linkable[0]?.id
  const others = linkable.map(({ id }) => id).filter((id) => id !== head)
  async function make(): Promise<void> {
    await change({ kind: 'incident', incident_id: head! }, `Link to incident #${head}`, others)
    onClose()
  }
  return (
    <div className={classes.make}>
      {gone.length > 0 && (
        <Soft role="status">{`Left out because they are merged or in the trash: ${new Intl.ListFormat('en').format(gone)}.`}</Soft>
      )}
      {others.length === 0 ? (
        <Soft>Select at least two tickets that are neither merged nor in the trash.</Soft>
      ) : (
        <Radio.Group
          label="Which ticket is the incident?"
          value={String(head)}
          onChange={(value) => setChosen(Number(value))}
        >
          <div className={classes.heads}>
            {linkable.map(({ id, title, requester, organization }) => (
              <Radio
                key={id}
                value={String(id)}
                label={`#${id} ${title}`}
                description={[requester, organization].filter(Boolean).join(', ')}
              />
            ))}
          </div>
        </Radio.Group>
      )}
      <Soft>The others are linked to it, and all of them can be answered together. This can be undone.</Soft>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={sending} disabled={others.length === 0} onClick={() => void make()}>
          {`Link ${ticketsText(others.length)} to #${head ?? ''}`}
        </Button>
      </div>
    </div>
  )
}
