import { Suspense, useState, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { roles, type RoleId } from '#shared/access.ts'
import { counted, type RecordType } from '#shared/records.ts'
import { staff, type StaffMember } from '#features/admin/staff/contract.ts'
import classes from '#features/admin/staff/web/staff.module.css'
import { staffFields } from '#features/admin/staff/fields.ts'
import { InvitationLink } from '#features/admin/staff/web/InvitationLink.tsx'
import { PasswordLinkState } from '#features/admin/staff/web/PasswordLinkState.tsx'
import { LastSeen, Products, State } from '#features/admin/staff/web/staffCells.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { Head } from '#web/parts/Head.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { RecordPanels } from '#web/shell/recordPanels.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { toast } from '#web/message/toast.ts'

const AwayForm = lazyPart(() => import('#web/away/AwayForm.tsx'))

interface Props {
  person: StaffMember
  onEdit: () => void
  onClose: () => void
}

/**
 * Panel with everything about one admin user: open sessions, each with a button to end it, access, the last
 * sign-ins, open work, and the history. It offers a new invitation link in case the first one was lost.
 */
export default function StaffSheet({ person, onEdit, onClose }: Props) {
  const [isAbsenceOpen, setAbsenceOpen] = useState(false)
  const absence = person.away ? 'Change absence' : 'Set absence'
  return (
    <RightModal title={`Details of ${person.name}`} onClose={onClose}>
      <div className={classes.who}>
        <div>
          {roles[person.role_id as RoleId].name} · {person.email} <State person={person} />
          {person.banned_at !== null && person.ban_reason !== '' && (
            <Soft small>Banned: {person.ban_reason}</Soft>
          )}
        </div>
        {person.deleted_at === null && (
          <span className={classes.buttons}>
            <Button
              size="xs"
              variant="default"
              aria-label={`${absence} of ${person.name}`}
              onClick={() => setAbsenceOpen(true)}
            >
              {absence}
            </Button>
            <Button size="xs" variant="default" aria-label={`Edit ${person.name}`} onClick={onEdit}>
              Edit
            </Button>
          </span>
        )}
      </div>
      {isAbsenceOpen && (
        <Suspense>
          <AwayForm id={person.id} name={person.name} onClose={() => setAbsenceOpen(false)} />
        </Suspense>
      )}
      <Sessions person={person} />
      <Access person={person} />
      <div className={classes.section}>
        <RecordPanels type="staff" id={person.id} />
      </div>
      <OpenWork person={person} />
      <div className={classes.section}>
        <Timeline type="staff" id={person.id} fields={staffFields} />
      </div>
    </RightModal>
  )
}

const Section = ({ title, act, children }: { title: string; act?: ReactNode; children: ReactNode }) => (
  <section className={classes.section} aria-label={title}>
    <Head>
      <h3>{title}</h3>
      {act}
    </Head>
    {children}
  </section>
)

function Sessions({ person }: { person: StaffMember }) {
  const params = { id: person.id }
  const sessions = useQuery({ ...queryOptionsFor(staff.sessions, { params }), staleTime: 0 })
  const { send: end, sending } = useSend(staff.endSessions, {
    onDone: ({ message }) => toast.success(message),
  })
  const count = sessions.data?.data.length ?? 0
  return (
    <Section
      title={count > 0 ? `Sessions (${count})` : 'Sessions'}
      act={
        count > 0 && (
          <RowAction disabled={sending} onClick={() => void end({ params, body: {} })}>
            End all sessions
          </RowAction>
        )
      }
    >
      <Loaded query={sessions}>
        {({ data }) =>
          data.length === 0 ? (
            <Soft>No active sessions.</Soft>
          ) : (
            <ul className={classes.lines} aria-label="Sessions">
              {data.map((one) => (
                <li key={one.id}>
                  <span>
                    {one.device}
                    <Soft as="span" small>
                      {one.address} · last used <Moment at={one.last_used_at} />
                      {one.remember && ' · stays signed in'}
                    </Soft>
                  </span>
                  <RowAction
                    disabled={sending}
                    aria-label={`End session on ${one.device}`}
                    onClick={() => void end({ params, body: { session_id: one.id } })}
                  >
                    End session
                  </RowAction>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function Access({ person }: { person: StaffMember }) {
  const [link, setLink] = useState<string>()
  const { send: invite, sending } = useSend(staff.invite, {
    onDone: (reply) => {
      toast.success(reply.message)
      setLink(reply.link ?? undefined)
    },
  })
  return (
    <Section
      title="Access"
      act={
        <RowAction
          disabled={sending}
          whyNot={whyNoLink(person)}
          onClick={() => void invite({ params: { id: person.id } })}
        >
          Send password setup link
        </RowAction>
      }
    >
      <dl className={classes.facts}>
        <dt>Role</dt>
        <dd>
          {roles[person.role_id as RoleId].name}
          <br />
          <PageLink to={`/settings/roles?person=${person.id}`}>What can this person do?</PageLink>
        </dd>
        <dt>Products</dt>
        <dd>{person.products.length > 0 ? <Products ids={person.products} /> : 'No products'}</dd>
        <dt>Teams</dt>
        <dd>{person.teams.map(({ name }) => name).join(', ') || 'No team'}</dd>
        <dt>Last seen</dt>
        <dd>
          <LastSeen person={person} />
        </dd>
        <PasswordLinkState person={person} />
      </dl>
      {link !== undefined && <InvitationLink link={link} onClose={() => setLink(undefined)} />}
    </Section>
  )
}

function whyNoLink({ deleted_at, banned_at }: StaffMember): string | undefined {
  if (deleted_at !== null) return 'Reactivate this admin user first.'
  return banned_at === null ? undefined : 'Unban this admin user first.'
}

function OpenWork({ person: { id } }: { person: StaffMember }) {
  const held = useQuery({ ...queryOptionsFor(staff.held, { params: { id } }), staleTime: 0 })
  return (
    <Section title="Open work">
      <Loaded query={held}>
        {({ data }) =>
          Object.keys(data).length === 0 ? (
            <Soft>No open work.</Soft>
          ) : (
            <ul className={classes.lines}>
              {Object.entries(data).map(([type, count]) => (
                <li key={type}>{counted(type as RecordType, count)}</li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
