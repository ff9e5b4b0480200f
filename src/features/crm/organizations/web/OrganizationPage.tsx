import { Suspense, useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import { offeredZones } from '#shared/zones.ts'
import { records } from '#shared/record.contract.ts'
import { organizations, type OrganizationDetail } from '#features/crm/organizations/contract.ts'
import { organizationFields } from '#features/crm/organizations/fields.ts'
import { isTrialRunning, onTrial, trialEndInWords } from '#features/crm/organizations/rules.ts'
import { confirmTrash } from '#features/crm/organizations/web/confirmTrash.ts'
import { clockIn, documentAddress } from '#features/crm/organizations/web/organizationWords.ts'
import classes from '#features/crm/organizations/web/organizations.module.css'
import { StatusCell } from '#features/crm/organizations/web/StatusCell.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { ErrorState } from '#web/list/states.tsx'
import { useStaff } from '#web/filter/useOptions.ts'
import { useChanged } from '#web/live.ts'
import { LiveMailProgress } from '#web/mail/MailProgress.tsx'
import { Moment } from '#web/Moment.tsx'
import { useOrganization } from '#web/organization.ts'
import { Facts, type EditInPlace } from '#web/record/Facts.tsx'
import { LastAct } from '#web/record/LastAct.tsx'
import { RecordPanels } from '#web/shell/recordPanels.tsx'
import { RecordLayout } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useRemove } from '#web/record/useRemove.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { useMyProducts } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'

const TrialForm = lazyPart(() => import('#features/crm/organizations/web/TrialForm.tsx'))
const VideoForm = lazyPart(() => import('#features/crm/organizations/web/VideoForm.tsx'))
const ProductsForm = lazyPart(() => import('#features/crm/organizations/web/ProductsForm.tsx'))
const MailForm = lazyPart(() => import('#features/crm/organizations/web/MailForm.tsx'))

const list = '/organizations/all-organizations'
const parents = [[list, 'Organizations']] as const
const refresh = [organizations.list, organizations.orgUser]
const onboardingNames = { 1: 'In progress', 2: 'On hold', 3: 'Completed' } as const

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
  useChanged('organization', [organizations.orgUser])
  useChanged('customer_user', [organizations.orgUser])
  useChanged('onboarding', [organizations.orgUser])
  const { error } = query
  // A failed first request leaves the page empty and is logged (A §8).
  useEffect(() => {
    if (error) console.error('The organization could not be loaded', error)
  }, [error])
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  if (query.data) return <OrganizationDetails detail={query.data.data} />
  return (
    <>
      <PageHeader title="Organization details" parents={parents} />
      {error ? (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      ) : (
        query.isLoading && <p role="status">Loading…</p>
      )}
    </>
  )
}

type Open = 'trial' | 'video' | 'mail' | 'products'

function OrganizationDetails({ detail }: { detail: OrganizationDetail }) {
  const { organization, users, leads, onboardings, documents, mails, today } = detail
  const id = organization.organization_id
  const [open, setOpen] = useState<Open>()
  const navigate = useNavigate()
  const { announceAct } = useUndo(refresh)
  const done = {
    refresh: [...refresh, records.history],
    onDone: (reply: { message: string; operation?: any }) => announceAct(reply.message, reply.operation),
  }
  const { send: startTrial, sending: starting } = useSend(organizations.startTrial, done)
  const { send: save } = useSend(organizations.update, { ...done, failure: 'throw' })
  const mayTrial = useMay(organizations.startTrial, { body: { org_id: id } })
  const mayEdit = useMay(organizations.update, { params: { id }, body: {} })
  const mayVideo = useMay(organizations.storeVideo, { body: { org_id: id, video_label: '', video_link: '' } })
  const mayMail = useMay(organizations.mail, { params: { id }, body: { subject: '', message: '' } })
  const { mayRemove, remove } = useRemove('organization', {
    refresh: [organizations.list],
    onDone: () => void navigate({ to: list }),
  })
  const staff = useStaff()
  const products = useMyProducts()
  const running = isTrialRunning(organization, today)
  const edit = (
    name: string,
    value: string,
    kind: EditInPlace['kind'] = 'text',
    options?: EditInPlace['options'],
  ): EditInPlace | undefined =>
    mayEdit
      ? {
          kind,
          value,
          ...(options ? { options } : {}),
          save: (typed) =>
            save({
              params: { id },
              body: {
                [name]: typed,
                version: organization.version,
                base: { [name]: name === 'assign_to' ? (value === '' ? null : Number(value)) : value },
              },
            }),
        }
      : undefined
  const textFact = (field: 'name' | 'state' | 'country' | 'domain') => ({
    name: organizationFields[field].label,
    value: organization[field],
    edit: edit(field, organization[field]),
  })
  const { time, abbreviation } = clockIn(organization.timezone)

  async function removeIt(): Promise<void> {
    if (await confirmTrash([id], organization.name)) remove([id])
  }

  return (
    <>
      <RecordHeader type="organization" id={id} title={organization.name} parents={parents}>
        {mayMail && (
          <Button size="xs" variant="default" onClick={() => setOpen('mail')}>
            Send email
          </Button>
        )}
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
          <Button size="xs" variant="default" onClick={() => setOpen('trial')}>
            Change trial end date
          </Button>
        )}
        {mayRemove && (
          <Button size="xs" variant="default" color="red" onClick={() => void removeIt()}>
            Move to trash
          </Button>
        )}
      </RecordHeader>
      <RecordLayout
        timeline={
          <Timeline
            type="organization"
            id={id}
            fields={organizationFields}
            more={mails.map((mail) => ({
              id: `mail-${mail.id}`,
              kind: 'Emails',
              at: mail.created_at,
              ...(mail.who ? { who: mail.who } : {}),
              content: <MailLine mail={mail} />,
            }))}
          />
        }
        more={
          <>
            <section className={classes.panel} aria-label="Demo video">
              <div className={classes.head}>
                <h2>Demo video</h2>
                {mayVideo && (
                  <LinkButton onClick={() => setOpen('video')}>
                    {organization.video_link ? 'Edit video' : 'Add video'}
                  </LinkButton>
                )}
              </div>
              {organization.video_link ? (
                <a href={organization.video_link} target="_blank" rel="noreferrer noopener">
                  {organization.video_label}
                </a>
              ) : (
                <p className={classes.soft}>No demo video yet.</p>
              )}
            </section>
            <section className={classes.panel} aria-label="Users">
              <h2>Users</h2>
              {users.length === 0 && <p className={classes.soft}>No users yet.</p>}
              <ul className={classes.plain}>
                {users.map((user) => (
                  <li key={user.id} aria-current={user.id === detail.user?.id || undefined}>
                    {user.first_name} {user.last_name} · {user.role}
                    {user.is_master && ' · master user'}
                    {user.email && (
                      <>
                        {' · '}
                        <a href={`mailto:${user.email}`}>{user.email}</a>
                      </>
                    )}
                    {user.phone && ` · ${user.phone}`} {user.banned && <Tone tone="red">Banned</Tone>}
                  </li>
                ))}
              </ul>
            </section>
            <section className={classes.panel} aria-label="Leads">
              <h2>Leads</h2>
              {leads.length === 0 && <p className={classes.soft}>No linked leads.</p>}
              <ul className={classes.plain}>
                {leads.map((lead) => (
                  <li key={lead.lead_id}>
                    <RecordLink type="lead" id={lead.lead_id} name={lead.companyName} /> · {lead.status}
                  </li>
                ))}
              </ul>
            </section>
            <section className={classes.panel} aria-label="Onboarding">
              <h2>Onboarding</h2>
              {onboardings.length === 0 && <p className={classes.soft}>No onboardings yet.</p>}
              <ul className={classes.plain}>
                {onboardings.map((one) => (
                  <li key={one.id}>
                    <RecordLink type="onboarding" id={one.id} name={one.company}>
                      {one.stage}
                    </RecordLink>
                    {' · '}
                    {onboardingNames[one.status as 1]}
                    {one.next_expected_date && ` · next expected ${dayText(one.next_expected_date)}`}
                  </li>
                ))}
              </ul>
            </section>
            <section className={classes.panel} aria-label="Documents">
              <div className={classes.head}>
                <h2>Documents</h2>
                <PageLink to={documentAddress(organization)}>
                  {documents === 1 ? '1 document' : `${documents} documents`}
                </PageLink>
              </div>
            </section>
            <LastAct refresh={refresh} />
            <RecordPanels type="organization" id={id} />
          </>
        }
      >
        <section className={classes.state} aria-label="Status">
          <StatusCell organization={organization} />
          {organization.trial_end_date && (
            <span className={organization.status === onTrial ? undefined : classes.soft}>
              {trialEndInWords(organization, today)}
            </span>
          )}
          <span className={classes.soft}>
            {time} {abbreviation} local time
          </span>
        </section>
        <Facts
          title="Details"
          facts={[
            textFact('name'),
            {
              name: organizationFields.timezone.label,
              value: organization.timezone,
              edit: edit(
                'timezone',
                organization.timezone,
                'choice',
                [...new Set([organization.timezone, ...offeredZones])].map((zone) => [zone, zone] as const),
              ),
            },
            textFact('state'),
            textFact('country'),
            {
              name: organizationFields.assign_to.label,
              value: organization.assigned_name,
              edit: edit('assign_to', String(organization.assign_to ?? ''), 'choice', [
                ['', 'Unassigned'],
                ...staff.map(({ id: one, name }) => [String(one), name] as const),
              ]),
            },
            {
              name: organizationFields.product_ids.label,
              value: (
                <>
                  {organization.product_ids
                    .map((one) => products.find((product) => product.id === one)?.name ?? `#${one}`)
                    .join(', ')}{' '}
                  {mayEdit && (
                    <LinkButton aria-label="Edit products" onClick={() => setOpen('products')}>
                      Edit
                    </LinkButton>
                  )}
                </>
              ),
            },
            textFact('domain'),
            {
              name: 'Created',
              value: (
                <>
                  <Moment at={organization.created_at} />
                  {organization.created_by_name && ` by ${organization.created_by_name}`}
                </>
              ),
            },
          ]}
        />
      </RecordLayout>
      <Suspense>
        {open === 'trial' && <TrialForm organization={organization} onClose={() => setOpen(undefined)} />}
        {open === 'video' && <VideoForm organization={organization} onClose={() => setOpen(undefined)} />}
        {open === 'products' && (
          <ProductsForm organization={organization} onClose={() => setOpen(undefined)} />
        )}
        {open === 'mail' && <MailForm organization={organization} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  )
}

function MailLine({ mail }: { mail: OrganizationDetail['mails'][number] }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <p>
        {mail.subject} · {mail.progress.sent} of {mail.progress.total} sent{' '}
        <LinkButton aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show recipients'}
        </LinkButton>
      </p>
      {open && <LiveMailProgress id={mail.id} />}
    </>
  )
}
