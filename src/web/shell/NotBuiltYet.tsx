import { Link } from '@tanstack/react-router'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import classes from '#web/shell/PageError.module.css'

/** A page whose area is not built: it says so and names the area. One row of app/router.tsx each. */
export function notBuiltYet(area: string) {
  return function NotBuiltYet() {
    return (
      <>
        <PageHeader />
        <div className={classes.error}>
          <h2 className={classes.title}>{area} is not built yet</h2>
          <p className={classes.text}>The address is reserved for it, and your role may open it. There is nothing here to see or to lose.</p>
          <Link to="/dashboard">Go to the dashboard</Link>
        </div>
      </>
    )
  }
}
