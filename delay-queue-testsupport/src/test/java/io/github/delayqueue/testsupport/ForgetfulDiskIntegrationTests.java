package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.ForgetfulDisk.NeverSynced;

import static org.assertj.core.api.Assertions.assertThat;

/** By {@code sync}, a command that is linked as servers are. */
@SelfTest
class ForgetfulDiskIntegrationTests {

	private static final Path SHELL = Path.of("/bin/sh");

	@Test
	void whatWasSyncedIsKeptAndWhatCameAfterIsForgotten() throws Exception {
		try (ForgetfulDisk disk = ForgetfulDisk.create()) {
			run(disk, "printf a >file; sync file; printf b >>file; mv file renamed");
			assertThat(disk.isSynced()).isTrue();
			assertThat(read(disk, "renamed")).isEqualTo("ab");
			disk.cutPower(NeverSynced.GONE);
			assertThat(read(disk, "renamed")).isEqualTo("a");
			run(disk, "printf c >>renamed; sync -d renamed; printf d >>renamed");
			disk.cutPower(NeverSynced.GONE);
			assertThat(read(disk, "renamed")).isEqualTo("ac");
		}
	}

	@Test
	void fileThatWasNeverSyncedIsEmptyOrGone() throws Exception {
		try (ForgetfulDisk disk = ForgetfulDisk.create()) {
			run(disk, "printf a >file");
			assertThat(disk.isSynced()).isFalse();
			disk.cutPower(NeverSynced.EMPTY);
			assertThat(read(disk, "file")).isEmpty();
			run(disk, "printf a >named; sync .; printf a >unnamed");
			disk.cutPower(NeverSynced.GONE);
			assertThat(disk.folder().resolve("unnamed")).doesNotExist();
			assertThat(read(disk, "named")).isEmpty();
		}
	}

	/** Numbers of files that were deleted are used again. */
	@Test
	void newFileHasNothingOfOneThatWasDeleted() throws Exception {
		try (ForgetfulDisk disk = ForgetfulDisk.create()) {
			run(disk, "printf old >file; sync file; rm file; printf new >a; printf new >b; printf new >c");
			disk.cutPower(NeverSynced.EMPTY);
			for (String name : List.of("a", "b", "c")) {
				assertThat(read(disk, name)).isEmpty();
			}
		}
	}

	private static void run(ForgetfulDisk disk, String script) {
		ChildJvm shell = ChildJvm.of(List.of("-ec", script))
			.longLived()
			.java(SHELL)
			.directory(disk.folder())
			.environment(disk.environment())
			.start();
		assertThat(shell.awaitEnd(Patience.LIMIT)).as(shell.log()).isZero();
	}

	private static String read(ForgetfulDisk disk, String name) throws IOException {
		return Files.readString(disk.folder().resolve(name));
	}

}
