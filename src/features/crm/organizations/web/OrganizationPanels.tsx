import { dayText } from '#shared/dates.ts'
import { organizations, type OrganizationDetail } from '#features/crm/organizations/contract.ts'
import type { OpenDialog } from '#features/crm/organizations/web/OrganizationDialogs.tsx'
import { documentAddress } from '#features/crm/organizations/web/organizationWords.ts'
import classes from '#features/crm/organizations/web/organizations.module.css'
import { useMay } from '#web/api/useSend.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { MailtoLink } from '#web/mail/MailtoLink.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { Panel } from '#web/parts/Panel.tsx'
import { Head } from '#web/parts/Head.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const onboardingNames = { 1: 'In progress', 2: 'On hold', 3: 'Completed' } as const

/** Panels with an organization's video, users, leads, onboardings, and documents. */
export function OrganizationPanels({
  detail,
  onOpen,
}: {
  detail: OrganizationDetail
  onOpen: (dialog: OpenDialog) => void
}) {
  const { organization, leads, onboardings, documents } = detail
  return (
    <>
      <Video organization={organization} onOpen={onOpen} />
      <Users detail={detail} />
      <Panel dense aria-label="Leads">
        <h2>Leads</h2>
        {leads.length === 0 && <Soft>No linked leads.</Soft>}
        <ul className={classes.plain}>
          {leads.map((lead) => (
            <li key={lead.lead_id}>
              <RecordLink type="lead" id={lead.lead_id} name={lead.companyName} /> · {lead.status}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel dense aria-label="Onboarding">
        <h2>Onboarding</h2>
        {onboardings.length === 0 && <Soft>No onboardings yet.</Soft>}
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
      </Panel>
      <Panel dense aria-label="Documents">
        <Head>
          <h2>Documents</h2>
          <PageLink to={documentAddress(organization)}>
            {documents === 1 ? '1 document' : `${documents} documents`}
          </PageLink>
        </Head>
      </Panel>
    </>
  )
}

function Video({
  organization,
  onOpen,
}: {
  organization: OrganizationDetail['organization']
  onOpen: (dialog: OpenDialog) => void
}) {
  const mayVideo = useMay(organizations.storeVideo, {
    body: { org_id: organization.organization_id, video_label: '', video_link: '' },
  })
  return (
    <Panel dense aria-label="Demo video">
      <Head>
        <h2>Demo video</h2>
        {mayVideo && (
          <LinkButton onClick={() => onOpen('video')}>
            {organization.video_link ? 'Edit video' : 'Add video'}
          </LinkButton>
        )}
      </Head>
      {organization.video_link ? (
        <a href={organization.video_link} target="_blank" rel="noreferrer noopener">
          {organization.video_label}
        </a>
      ) : (
        <Soft>No demo video yet.</Soft>
      )}
    </Panel>
  )
}

function Users({ detail: { users, user: current } }: { detail: OrganizationDetail }) {
  return (
    <Panel dense aria-label="Users">
      <h2>Users</h2>
      {users.length === 0 && <Soft>No users yet.</Soft>}
      <ul className={classes.plain}>
        {users.map((user) => (
          <li key={user.id} aria-current={user.id === current?.id || undefined}>
            <RecordLink
              type="customer_user"
              id={user.id}
              name={`${user.first_name} ${user.last_name}`.trim()}
            />{' '}
            · {user.role}
            {user.is_master && ' · master user'}
            {user.email && (
              <>
                {' · '}
                <MailtoLink address={user.email} />
              </>
            )}
            {user.phone && (
              <>
                {' · '}
                <PhoneLink number={user.phone} />
              </>
            )}{' '}
            {user.banned && <Tone tone="red">Banned</Tone>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
