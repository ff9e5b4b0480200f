import { Link } from '@tanstack/react-router'
import { State } from '#web/list/states.tsx'

/** Content in place of a page or record that doesn't exist (A §2). */
export const NotFoundState = () => (
  <State title="We couldn’t find this page." action={<Link to="/dashboard">Go to dashboard</Link>}>
    It may have been moved to the trash, or the link may be incomplete.
  </State>
)
