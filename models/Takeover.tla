------------------------------ MODULE Takeover ------------------------------
\* Who is gone: what an instance that looks at the others may conclude from whose subscriptions
\* Redis counts. What happens to the leases of the one who is gone is in Core.tla.
\*
\* Time is in ticks. A living instance that is cut off comes back within `Short' ticks; within
\* `Late' after Redis was away, because a silent connection is noticed late. One that is paused
\* stays connected, so it is like one that does nothing. Looks may come at any time, or not at all.
\*
\* Not modelled: that a living holder which sees that it is not counted takes its name back, after
\* which nobody ends its leases; a connection that comes back and breaks again between two looks (it
\* stays for longer than `Gap' here); more than one observer: they do not know of each other; and the
\* nodes of a cluster: there `calm' begins anew with each answer that one of them does not give.
\*
\* "code:" names what a step stands for: a method or a script. A test reads these lines.
EXTENDS Naturals, Integers, FiniteSets, TLC

CONSTANTS
  Holders,    \* instances that hold leases
  Short,      \* how long a living one is cut off at most
  Late,       \* how long a living one needs at most to come back once Redis does
  Wait,       \* how long one has to be missing to be gone
  Gap,        \* how far apart two looks may be that say the same
  Grace,      \* how long the observer judges nobody after its own subscription was made anew
  Faults,     \* how many things may go wrong
  Prompt,     \* whether the observer always looks in time
  Broken      \* the guard that is broken; "nothing" is the code as it is

VARIABLES
  alive,      \* whether a holder lives
  counted,    \* whether Redis counts its subscription
  away,       \* for how long it has not been counted
  limit,      \* for how long that may be so if it lives
  up,         \* for how long it has been counted
  sure,       \* whether its leases say that it was counted when it took them
  redis,      \* whether Redis is there
  own, calm,  \* whether the observer's own subscription is counted, and for how long
  blind,      \* whether it asks a server that counts other subscriptions than ours
  missing,    \* for how long the observer has not seen a holder, -1 if it has
  ever,       \* whether it has seen it before
  looked,     \* how long ago it looked
  taken,      \* whose leases it has ended
  faults, wrong

world == <<alive, counted, away, limit, up, sure, redis>>
self == <<own, calm, blind>>
view == <<missing, ever, looked, taken, wrong>>
vars == <<world, self, view, faults>>

Is(guard) == Broken = guard
Most == Late + 1
More(n, most) == IF n < most THEN n + 1 ELSE n
Fault == faults < Faults /\ faults' = faults + 1
Deaf(h) == ~sure[h]   \* it may not subscribe, or is subscribed where nobody asks

Init ==
  /\ alive = [h \in Holders |-> TRUE]
  /\ sure \in [Holders -> BOOLEAN]
  /\ counted = sure
  /\ away = [h \in Holders |-> 0] /\ limit = [h \in Holders |-> Short] /\ up = [h \in Holders |-> Gap + 1]
  /\ redis = TRUE /\ own = TRUE /\ calm = Grace /\ blind = FALSE
  /\ missing = [h \in Holders |-> -1] /\ ever = [h \in Holders |-> FALSE] /\ looked = 0
  /\ taken = {} /\ faults = 0 /\ wrong = "nothing"

-----------------------------------------------------------------------------
\* The world

\* code: none
Tick ==
  /\ \A h \in Holders : alive[h] /\ ~counted[h] /\ ~Deaf(h) /\ redis => away[h] < limit[h]
  /\ Prompt => looked < Gap
  /\ away' = [h \in Holders |-> IF counted[h] \/ Deaf(h) THEN 0 ELSE More(away[h], Most)]
  /\ up' = [h \in Holders |-> IF counted[h] THEN More(up[h], Gap + 1) ELSE 0]
  /\ missing' = [h \in Holders |-> IF missing[h] < 0 THEN -1 ELSE More(missing[h], Wait)]
  /\ looked' = More(looked, Gap + 1)
  /\ calm' = IF own THEN More(calm, Grace) ELSE calm
  /\ UNCHANGED <<alive, counted, limit, sure, redis, own, blind, ever, taken, faults, wrong>>

\* code: none
Cut(h) ==
  /\ redis /\ alive[h] /\ counted[h] /\ up[h] > Gap /\ Fault
  /\ counted' = [counted EXCEPT ![h] = FALSE]
  /\ away' = [away EXCEPT ![h] = 0] /\ limit' = [limit EXCEPT ![h] = Short]
  /\ UNCHANGED <<alive, up, sure, redis, self, view>>

\* code: WakeChannel#subscribe
Back(h) ==
  /\ redis /\ alive[h] /\ ~counted[h] /\ ~Deaf(h)
  /\ counted' = [counted EXCEPT ![h] = TRUE]
  /\ up' = [up EXCEPT ![h] = 0]
  /\ UNCHANGED <<alive, away, limit, sure, redis, self, view, faults>>

\* The operating system closes its connections
\* code: none
Die(h) ==
  /\ alive[h]
  /\ alive' = [alive EXCEPT ![h] = FALSE]
  /\ counted' = [counted EXCEPT ![h] = FALSE]
  /\ away' = [away EXCEPT ![h] = 0]
  /\ UNCHANGED <<limit, up, sure, redis, self, view, faults>>

\* A restart, or a failover
\* code: none
Vanish ==
  /\ redis /\ Fault
  /\ redis' = FALSE
  /\ counted' = [h \in Holders |-> FALSE]
  /\ own' = FALSE
  /\ UNCHANGED <<alive, away, limit, up, sure, calm, blind, view>>

\* code: none
Return ==
  /\ ~redis
  /\ redis' = TRUE
  /\ away' = [h \in Holders |-> 0] /\ limit' = [h \in Holders |-> Late]
  /\ UNCHANGED <<alive, counted, up, sure, self, view, faults>>

-----------------------------------------------------------------------------
\* The observer

\* code: none
CutOff ==
  /\ own /\ Fault
  /\ own' = FALSE
  /\ UNCHANGED <<world, calm, blind, view>>

\* code: LeaseWatch#wake
OwnBack ==
  /\ redis /\ ~own
  /\ own' = TRUE /\ calm' = 0
  /\ UNCHANGED <<world, blind, view, faults>>

\* code: none
Blind ==
  /\ ~blind /\ Fault
  /\ blind' = TRUE
  /\ UNCHANGED <<world, own, calm, view>>

\* One call asks for all holders, and for the observer itself
\* code: LeaseWatch#ask, RedisLeaseHolders#present, present.lua, RedisLeaseHolders#takeOver
Look ==
  LET sees(h) == redis /\ counted[h] /\ ~blind
      judges == /\ redis
                /\ (own /\ ~blind) \/ Is("an observer that is not counted judges nobody")
      before == IF looked > Gap /\ ~Is("a look that comes late forgets the one before")
                THEN [h \in Holders |-> -1] ELSE missing
      now == [h \in Holders |->
                IF ~judges THEN -1
                ELSE IF sees(h) /\ ~Is("a holder that is seen is not missing") THEN -1
                ELSE IF sees(h) \/ before[h] >= 0 THEN before[h]
                ELSE 0]
      gone == {h \in Holders :
                 /\ now[h] >= Wait /\ ~sees(h)
                 /\ calm = Grace \/ Is("whose subscription was made anew waits")
                 /\ sure[h] \/ ever[h] \/ Is("nobody is gone who was never there")}
  IN
  /\ looked' = 0
  /\ missing' = now
  /\ ever' = [h \in Holders |-> ever[h] \/ sees(h)]
  /\ taken' = taken \cup gone
  /\ wrong' = IF wrong = "nothing" /\ \E h \in gone : alive[h] THEN "leases were ended of one who lives" ELSE wrong
  /\ UNCHANGED <<world, self, faults>>

Next ==
  \/ Tick \/ Vanish \/ Return \/ CutOff \/ OwnBack \/ Blind \/ Look
  \/ \E h \in Holders : Cut(h) \/ Back(h) \/ Die(h)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* What is promised

\* A pause, or a cut that is short enough, costs nobody its leases; neither does a restart of Redis
NothingWrong == wrong = "nothing"

\* Each instance that dies is replaced in time, if the observer looks in time and nothing else goes wrong
InTime == \A h \in Holders : ~alive[h] /\ sure[h] /\ away[h] > Wait + Gap => h \in taken

Symmetry == Permutations(Holders)
=============================================================================
