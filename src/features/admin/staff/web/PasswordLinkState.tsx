import { useQuery } from '@tanstack/react-query'
import { explainFailure } from '#shared/delivery.ts'
import { mailStates } from '#shared/mails.ts'
import { staff, type PasswordLink, type StaffMember } from '#features/admin/staff/contract.ts'
import classes from '#features/admin/staff/web/staff.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { Moment } from '#web/Moment.tsx'
import { fullTime } from '#web/time.ts'

/** Whether the last invitation or password link of a person was delivered, and until when it works. */
export function PasswordLinkState({ person: { id } }: { person: StaffMember }) {
  const query = useQuery({ ...queryOptionsFor(staff.passwordLink, { params: { id } }), staleTime: 0 })
  const link = query.data?.data
  if (!link) return null
  return (
    <>
      <dt>Password link</dt>
      <dd>
        {link.state === 'failed' ? (
          <span className={classes.failed}>
            Not delivered to {link.address}. {explainFailure(link.last_error)}
          </span>
        ) : (
          <Delivered link={link} />
        )}
      </dd>
    </>
  )
}

const Delivered = ({ link: { state, created_at, expires_at } }: { link: PasswordLink }) => (
  <>
    {mailStates[state]} <Moment at={created_at} />
    {state === 'sent' && (expires_at ? `, works until ${fullTime(expires_at)}` : ', used or expired')}
  </>
)
