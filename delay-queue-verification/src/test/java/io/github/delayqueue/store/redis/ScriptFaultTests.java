package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.incarnation.RedisIncarnations;
import io.github.delayqueue.store.redis.ScriptFaultIntegrationTests.ScriptFault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Says at once, and for all of them, which faults no longer fit the scripts that they are
 * put into by {@link ScriptFaultIntegrationTests}.
 */
class ScriptFaultTests {

	private static final Script BEAT = Script.reading(RedisIncarnations.class, "beat.lua", "");

	@Test
	void eachChangesOnePlaceOfItsScript() {
		assertThat(EnumSet.allOf(ScriptFault.class)).allSatisfy(
				(fault) -> assertThat(ChangedScript.textOf(fault.script, fault.original, fault.changed)).as("%s", fault)
					.isNotEqualTo(new String(fault.script.text(), StandardCharsets.UTF_8)));
	}

	@Test
	void eachHasAHistoryThatShowsIt() {
		assertThat(ScriptFaultSeeds.read().names())
			.as("faults in %s: ScriptFaultIntegrationTests finds what is missing, and leaves it in %s",
					ScriptFaultSeeds.FILE, ScriptFaultSeeds.OUTPUT)
			.containsExactlyInAnyOrderElementsOf(
					EnumSet.allOf(ScriptFault.class).stream().map(ScriptFault::name).toList());
	}

	@Test
	void whatDoesNotFitIsRefusedWithScriptAndText() {
		assertThatIllegalArgumentException().isThrownBy(() -> ChangedScript.textOf(BEAT, "no such text", ""))
			.withMessage("The script beat.lua no longer has this text, which a fault in it changes; "
					+ "change the fault along with the script: no such text");
		assertThatIllegalArgumentException().isThrownBy(() -> ChangedScript.textOf(BEAT, "e", ""))
			.withMessageContaining("beat.lua has several times");
	}

}
