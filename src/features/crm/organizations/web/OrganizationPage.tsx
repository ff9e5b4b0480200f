import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { organizations, type OrganizationDetail } from '#features/crm/organizations/contract.ts'
import { trials } from '#features/crm/organizations/trials.contract.ts'
import { organizationFields } from '#features/crm/organizations/fields.ts'
import { isTrialRunning, onTrial, trialEndInWords } from '#features/crm/organizations/rules.ts'
import { confirmTrash } from '#features/crm/organizations/web/confirmTrash.ts'
import {
  OrganizationDialogs,
  useOrganizationChange,
  type OpenDialog,
} from '#features/crm/organizations/web/OrganizationDialogs.tsx'
import { OrganizationFacts } from '#features/crm/organizations/web/OrganizationFacts.tsx'
import { OrganizationPanels } from '#features/crm/organizations/web/OrganizationPanels.tsx'
import { clockIn } from '#features/crm/organizations/web/organizationWords.ts'
import classes from '#features/crm/organizations/web/organizations.module.css'
import { StatusCell } from '#features/crm/organizations/web/StatusCell.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { isNotFound } from '#web/api/errors.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { MissingRecord } from '#web/record/MissingRecord.tsx'
import { RecordPlaceholder } from '#web/record/RecordPlaceholder.tsx'
import { entryOfMail } from '#web/mail/mailEntry.tsx'
import { useOrganization } from '#web/organization.ts'
import { Gone } from '#web/record/Gone.tsx'
import { LastAct } from '#web/record/LastAct.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'
import { RecordPanels } from '#web/shell/recordPanels.tsx'
import { RecordLayout } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useRemove } from '#web/record/useRemove.ts'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const list = '/organizations/all-organizations'
const parents = [[list, 'Organizations']] as const

/**
 * Page for an organization and its related records. Shows the not-found page if the user in the URL doesn't
 * belong to the organization.
 */
export function OrganizationPage() {
  const params = useParams({ strict: false }) as { user?: string; organization_id?: string }
  const [user, org_id] = [Number(params.user), Number(params.organization_id)]
  const isAddress = Number.isSafeInteger(user) && user >= 0 && Number.isSafeInteger(org_id) && org_id > 0
  return isAddress ? <OrganizationLoader key={org_id} user={user} org_id={org_id} /> : <NotFoundPage />
}

function OrganizationLoader({ user, org_id }: { user: number; org_id: number }) {
  const query = useQuery(queryOptionsFor(organizations.orgUser, { query: { user, org_id } }))
  useOrganization(org_id)
  const { error } = query
  // A failed first request leaves the page empty and is logged (A §8).
  useEffect(() => {
    if (error) console.error('The organization could not be loaded', error)
  }, [error])
  // An organization that was shown stays, with what happened to it.
  if (isNotFound(error) && !query.data) return <MissingRecord type="organization" id={org_id} />
  if (query.data)
    return (
      <>
        <Gone type="organization" id={org_id} error={error} />
        <OrganizationDetails detail={query.data.data} />
      </>
    )
  return (
    <>
      <PageHeader title="Organization details" parents={parents} />
      <RecordPlaceholder query={query} />
    </>
  )
}

function OrganizationDetails({ detail }: { detail: OrganizationDetail }) {
  const { organization } = detail
  const id = organization.organization_id
  const [open, setOpen] = useState<OpenDialog>()
  return (
    <>
      <Head detail={detail} onOpen={setOpen} />
      <RecordLayout
        timeline={
          <Timeline
            type="organization"
            id={id}
            fields={organizationFields}
            email={{}}
            more={detail.mails.map(entryOfMail)}
          />
        }
        more={
          <>
            <OrganizationPanels detail={detail} onOpen={setOpen} />
            <RecordPanels type="organization" id={id} />
            <LastAct />
          </>
        }
      >
        <Status detail={detail} />
        <OrganizationFacts organization={organization} onOpen={setOpen} />
      </RecordLayout>
      <OrganizationDialogs organization={organization} open={open} onClose={() => setOpen(undefined)} />
    </>
  )
}

function Head({
  detail: { organization, today },
  onOpen,
}: {
  detail: OrganizationDetail
  onOpen: (dialog: OpenDialog) => void
}) {
  const id = organization.organization_id
  const { send: startTrial, sending: starting } = useSend(trials.startTrial, useOrganizationChange())
  const mayTrial = useMay(trials.startTrial, { body: { org_id: id } })
  const { mayRemove, remove } = useRemove('organization', {
    onDone: useBackToList(list),
  })
  const running = isTrialRunning(organization, today)

  async function removeIt(): Promise<void> {
    if (await confirmTrash([id], organization.name)) remove([id])
  }

  return (
    <RecordHeader type="organization" id={id} title={organization.name} parents={parents}>
      {mayTrial && (
        <Button
          size="xs"
          variant="default"
          loading={starting}
          disabled={running}
          title={running ? 'A trial is already running.' : undefined}
          onClick={() => void startTrial({ body: { org_id: id } })}
        >
          Start trial
        </Button>
      )}
      {mayTrial && organization.status === onTrial && (
        <Button size="xs" variant="default" onClick={() => onOpen('trial')}>
          Change trial end date
        </Button>
      )}
      {mayRemove && (
        <Button size="xs" variant="default" color="red" onClick={() => void removeIt()}>
          Move to trash
        </Button>
      )}
    </RecordHeader>
  )
}

function Status({ detail: { organization, today } }: { detail: OrganizationDetail }) {
  const { time, abbreviation } = clockIn(organization.timezone)
  return (
    <section className={classes.state} aria-label="Status">
      <StatusCell organization={organization} />
      {organization.trial_end_date && (
        <span className={organization.status === onTrial ? undefined : classes.soft}>
          {trialEndInWords(organization, today)}
        </span>
      )}
      <Soft as="span">
        {time} {abbreviation} local time
      </Soft>
    </section>
  )
}
