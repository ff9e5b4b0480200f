import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import IconPhoneOff from '@tabler/icons-react/dist/esm/icons/IconPhoneOff.mjs'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import type { useCall } from '#features/crm/customer-view/web/useCall.ts'
import { customerAddress } from '#features/crm/customer-view/web/useCustomerAddress.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { useSecond } from '#web/useSecond.ts'

interface Props extends ReturnType<typeof useCall> {
  /** The customer who is open, if any. */
  organization: number | undefined
  user: number | undefined
}

/**
 * Starts a call with the open customer, and shows the one in progress, with any customer, until it ends; then says
 * how it was logged, here, where it covers nothing.
 */
export function CallTimer({
  call,
  start,
  end,
  discard,
  ending,
  logged,
  undoLogged,
  organization,
  user,
}: Props) {
  if (!call)
    return (
      <div className={classes.call}>
        {organization !== undefined && (
          <TextButton icon={<IconPhone size={14} aria-hidden />} onClick={() => start(organization, user)}>
            Start call
          </TextButton>
        )}
        {logged && (
          <span role="status">
            {logged.message} {logged.operation && <LinkButton onClick={undoLogged}>Undo</LinkButton>}
          </span>
        )}
      </div>
    )
  const isHere = call.organization === organization && call.user === user
  return (
    <div className={classes.call}>
      <Elapsed since={call.started} />
      {!isHere && <PageLink to={customerAddress(call.organization, call.user)}>Show caller</PageLink>}
      <TextButton
        icon={<IconPhoneOff size={14} aria-hidden />}
        aria-disabled={ending || undefined}
        onClick={() => void end()}
      >
        End call
      </TextButton>
      <TextButton icon={null} aria-disabled={ending || undefined} onClick={() => !ending && discard()}>
        Discard call
      </TextButton>
    </div>
  )
}

function Elapsed({ since }: { since: number }) {
  const seconds = Math.max(useSecond() / 1000 - Math.floor(since / 1000), 0)
  const two = (number: number) => String(number).padStart(2, '0')
  return (
    <span className={classes.elapsed} role="timer" aria-label="Length of the call">
      <IconPhone size={14} aria-hidden /> {two(Math.floor(seconds / 60))}:{two(seconds % 60)}
    </span>
  )
}
