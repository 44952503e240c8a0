------------------------------- MODULE Burst -------------------------------
\* Tasks of one id that are debounced: when they are run.
\* That no task gets lost on its way is in Core.tla and Journal.tla.
\*
\* Time is in ticks, and all times are counted from now. A change is a task that is scheduled.
\*
\* "code:" names what a step stands for: a method or a script. A test reads these lines.
EXTENDS Naturals, Integers

CONSTANTS
  Quiet,      \* from the last change to the run
  Most,       \* from the first change that waits to the run
  Slow,       \* how long a task waits at most that has failed
  Prompt,     \* whether consumers take what is due at once
  Broken      \* the guard that is broken; "nothing" is the code as it is

VARIABLES
  task,       \* "none", "waits", "runs", or "fails" if it waits after a delivery
  due, limit, \* of the task: in how long
  calm,       \* for how long no change has come
  open,       \* for how long a change waits that no run has seen, -1 if there is none
  wrong

vars == <<task, due, limit, calm, open, wrong>>

Is(guard) == Broken = guard
Min(m, n) == IF m < n THEN m ELSE n
Less(n) == IF n > 0 THEN n - 1 ELSE 0
Due == task \in {"waits", "fails"} /\ due = 0
Wrong(condition, what) == wrong' = IF wrong = "nothing" /\ condition THEN what ELSE wrong

Init ==
  /\ task = "none" /\ due = 0 /\ limit = 0
  /\ calm = Quiet /\ open = -1 /\ wrong = "nothing"

\* code: none
Tick ==
  /\ Prompt => ~Due
  /\ due' = Less(due) /\ limit' = Less(limit)
  /\ calm' = Min(calm + 1, Quiet)
  /\ open' = IF open < 0 THEN -1 ELSE Min(open + 1, Most + 1)
  /\ UNCHANGED <<task, wrong>>

\* Takes the place of what is there
\* code: schedule.lua, debounce.lua, QueueState#schedule, TaskEntry#scheduled, TaskWriter#debounce, Arrival#debounced
Change ==
  LET waits == task = "waits"
      before == IF waits \/ Is("a limit is of a task that waits") THEN limit ELSE Most
      known == IF Is("the limit of the first stays") THEN Most ELSE before
  IN
  /\ task' = "waits" /\ limit' = known
  /\ due' = Min(Quiet, known)
  /\ calm' = 0
  /\ open' = IF open < 0 THEN 0 ELSE open
  /\ UNCHANGED wrong

-----------------------------------------------------------------------------
\* What becomes of them

\* code: claim.lua
Claim ==
  /\ Due
  /\ Wrong(task = "waits" /\ calm < Quiet /\ open < Most, "run before it was quiet for long enough")
  /\ task' = "runs" /\ open' = -1
  /\ UNCHANGED <<due, limit, calm>>

\* code: settle.lua, cancel.lua, clear.lua
End ==
  /\ task /= "none"
  /\ task' = "none" /\ open' = -1
  /\ UNCHANGED <<due, limit, calm, wrong>>

\* code: settle.lua
Fail ==
  /\ task = "runs"
  /\ task' = "fails"
  /\ due' \in 0..Slow
  /\ UNCHANGED <<limit, calm, open, wrong>>

Next == Tick \/ Change \/ Claim \/ End \/ Fail

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* What is promised

\* A change is run when it is quiet, or at the limit
NothingWrong == wrong = "nothing"

\* A change that no run has seen waits for one
NothingLost == open >= 0 => task = "waits"

\* No change waits for longer than it may, if consumers are prompt
InTime == open <= Most
=============================================================================
