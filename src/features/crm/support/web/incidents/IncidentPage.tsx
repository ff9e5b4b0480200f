import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { incidents, type IncidentTicket } from '#features/crm/support/incidents.contract.ts'
import { openStatus, settledStatuses } from '#features/crm/support/rules.ts'
import { AnswerPreview } from '#features/crm/support/web/answers/AnswerPreview.tsx'
import { useRecipients } from '#features/crm/support/web/answers/useRecipients.ts'
import { IncidentComposer } from '#features/crm/support/web/incidents/IncidentComposer.tsx'
import type { IncidentHead } from '#features/crm/support/web/incidents/incidentParts.ts'
import { IncidentTickets } from '#features/crm/support/web/incidents/IncidentTickets.tsx'
import classes from '#features/crm/support/web/incidents/incidents.module.css'
import { useIncidentAnswer } from '#features/crm/support/web/incidents/useIncidentAnswer.ts'
import {
  incidentAddress,
  ticketAddress,
  ticketParents,
  TicketStatus,
} from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { isNotFound } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { PanesHead, PanesPage } from '#web/sheet/PanesPage.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'

const IncidentStatus = lazyPart(() => import('#features/crm/support/web/incidents/IncidentStatus.tsx'))

/** Pages above an incident in its breadcrumb; incidents are listed by a filter of the tickets. */
const incidentParents = [...ticketParents, ['/support?incident=heads', 'Incidents']] as const

/** Page for an incident: its tickets, and one answer to all of them. */
export function IncidentPage() {
  const { ticket } = useParams({ strict: false }) as { ticket?: string }
  const id = Number(ticket)
  return Number.isSafeInteger(id) && id > 0 ? <IncidentLoader key={id} id={id} /> : <NotFoundPage />
}

function IncidentLoader({ id }: { id: number }) {
  const may = useMay(incidents.show, { params: { ticket: id } })
  const query = useQuery({ ...queryOptionsFor(incidents.show, { params: { ticket: id } }), enabled: may })
  if (!may) return <NoAccessPage title="Incident" parents={incidentParents} />
  const found = query.data?.data
  if ((isNotFound(query.error) && !found) || found?.head === null || found?.head.in_trash)
    return <NotFoundPage />
  // The address names one of its linked tickets.
  if (found && found.head.id !== id) return <Navigate to={incidentAddress(found.head.id)} replace />
  if (found) return <Incident head={found.head} linked={found.linked} />
  return (
    <>
      <PageHeader title="Incident" parents={incidentParents} />
      <Loaded query={query} what="The incident">
        {() => null}
      </Loaded>
    </>
  )
}

interface Props {
  head: IncidentHead
  linked: readonly IncidentTicket[]
}

function Incident({ head, linked }: Props) {
  const parts = [head, ...linked]
  const recipients = useRecipients(parts)
  const answer = useIncidentAnswer(
    head.id,
    recipients.answered.map(({ id }) => id),
  )
  const props = { head, parts, recipients, answer }
  return (
    <PanesPage>
      <Head head={head} linked={linked} />
      <div className={classes.panes}>
        <IncidentTickets {...props} />
        <section className={classes.pane} aria-label="Answer">
          <div className={classes.wrap}>
            <IncidentComposer {...props} />
            <AnswerPreview
              recipients={recipients}
              answer={answer}
              emailOf={(body) => queryOptionsFor(incidents.preview, { params: { ticket: head.id }, body })}
            />
          </div>
        </section>
      </div>
    </PanesPage>
  )
}

function Head({ head, linked }: Props) {
  const [isSetting, setSetting] = useState(false)
  const isSettled = settledStatuses.includes(head.status)
  const count = linked.length + 1
  return (
    <PanesHead>
      <PageHeader title={head.title} number={head.id} parents={incidentParents}>
        <Soft as="span">Incident</Soft>
        <TicketStatus ticket={{ ...head, linked_count: linked.length }} />
        {linked.length > 0 && (
          <Button variant="default" size="xs" onClick={() => setSetting(true)}>
            {isSettled ? `Reopen all ${count}…` : `Close all ${count}…`}
          </Button>
        )}
        <TextLink to={ticketAddress(head)} icon={<IconExternalLink size={14} aria-hidden />}>
          Open ticket
        </TextLink>
      </PageHeader>
      {isSetting && (
        <Suspense>
          <IncidentStatus
            ticket={head}
            status={isSettled ? openStatus : settledStatuses.at(-1)!}
            onClose={() => setSetting(false)}
          />
        </Suspense>
      )}
    </PanesHead>
  )
}
