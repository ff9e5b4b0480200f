import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import { Button } from '@mantine/core'
import { ApiError, noAnswer } from '#web/api/errors.ts'
import {
  EmptyState,
  ErrorState,
  LoadingState,
  NoMatches,
  OfflineState,
  PastTheEnd,
} from '#web/list/states.tsx'
import { ChunkLoadError } from '#web/shell/lazy.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Part } from '#web/showcase/Part.testing.tsx'
import { longName } from '#web/showcase/samples.testing.ts'
import classes from '#web/showcase/showcase.module.css'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { NotFoundState } from '#web/states/NotFoundState.tsx'
import { PageError } from '#web/states/PageError.tsx'

const failed = new ApiError(500, {
  message: 'The server returned an error (500). Try again.',
  request_id: '7f3a',
})
const denied = new ApiError(403, { message: 'Ask an Admin for access to leads.' })
const missing = new ApiError(404, { message: 'This lead doesn’t exist.' })
const nothing = () => {}

const states = {
  empty: (
    <EmptyState icon={IconInbox} title="No tickets yet" action={<Button>Add ticket</Button>}>
      Tickets that customers open are listed here.
    </EmptyState>
  ),
  'no matches': <NoMatches filters={['Status: Closed', `Company: ${longName}`]} onClear={nothing} />,
  'past the end': <PastTheEnd onFirstPage={nothing} />,
  loading: <LoadingState />,
  failed: <ErrorState error={failed} what="Leads" onRetry={nothing} />,
  'without a connection': <ErrorState error={noAnswer()} what="Leads" onRetry={nothing} />,
  offline: <OfflineState onRetry={nothing} />,
  forbidden: <ErrorState error={denied} />,
  'record not found': <ErrorState error={missing} what="Lead" />,
  'page not found': <NotFoundState />,
  'without access': <NoAccess>The roles Super Admin and Admin have access.</NoAccess>,
  'failed page': <PageError error={new Error('Sample')} reset={nothing} />,
  'page without its code': <PageError error={new ChunkLoadError('The page’s code.')} reset={nothing} />,
}

export const States = () => (
  <Part title="States">
    <div className={classes.columns}>
      {Object.entries(states).map(([name, state]) => (
        <div key={name}>
          <Soft small>{name}</Soft>
          <div className={classes.framed}>{state}</div>
        </div>
      ))}
    </div>
  </Part>
)
