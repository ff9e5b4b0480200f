import { Link, useMatches } from '@tanstack/react-router'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import classes from '#web/shell/PageError.module.css'

/** A page whose area is not built: it says so and names the area. One row of app/router.tsx each. */
export function NotBuiltYet() {
  const area = useMatches({ select: (matches) => matches.at(-1)?.staticData.area })
  return (
    <>
      <PageHeader />
      <div className={classes.error}>
        <h2 className={classes.title}>{area}: not built yet</h2>
        <p className={classes.text}>The address is reserved for it, and your role may open it. Coming soon.</p>
        <Link to="/dashboard">Go to the dashboard</Link>
      </div>
    </>
  )
}
